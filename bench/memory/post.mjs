/**
 * Sends a request of an agent to a running service.
 * @returns {Promise<any>} the answer
 * @throws Error with the detail of a problem document
 */
export async function post(url, path, { agent, body, project = '', space = 'default' }) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-agent-id': agent, 'x-project': project, 'x-space': space },
    body: JSON.stringify(body),
  });
  const answer = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.detail}`);
  return answer;
}
