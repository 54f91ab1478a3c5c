/** Posts a body and answers what came back; an answer that is not 2xx is an error. */
export async function postJson<T>(url: string, body: unknown): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  const answer = (await response.json()) as T
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(answer)}`)
  return answer
}
