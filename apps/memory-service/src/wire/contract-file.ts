/** What the service promises to its clients. */
export const CONTRACT = new URL('../../openapi.yaml', import.meta.url);
