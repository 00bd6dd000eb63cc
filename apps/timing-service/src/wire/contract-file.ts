/** The contract of the service: its operations and schemas. */
export const CONTRACT = new URL('../../openapi.yaml', import.meta.url);
