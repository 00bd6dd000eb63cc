// Exit code 0 when the service in this container may get requests: node healthcheck.mjs PORT
const LIMIT_MILLISECONDS = 4_000;

const url = `http://127.0.0.1:${process.argv[2]}/health/ready`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MILLISECONDS) });
  console.log(`${response.status} ${await response.text()}`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(`${url}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
