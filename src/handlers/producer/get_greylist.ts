import type { Handlers } from '../types.ts'

export const get_greylist: Handlers['get_greylist'] = (engine) => engine.getGreylist()
