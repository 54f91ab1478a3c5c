/** Limits of the binary form. spring: libraries/libfc/include/fc/utility.hpp */

/** Most bytes in one length-prefixed byte string. Part of consensus. */
export const MAX_BYTES = 20 * 1024 * 1024

/** Most elements in one length-prefixed list. Part of consensus. */
export const MAX_ARRAY_ELEMENTS = 1024 * 1024
