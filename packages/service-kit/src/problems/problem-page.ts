import type { Request } from 'express';

const DASHBOARD = '/dashboard';
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Whether a person waits for the answer in a browser: for the page of the dashboard, or at the address of the service alone. */
export function isForReader(req: Request): boolean {
  return (
    (req.path === DASHBOARD || req.path === '/') &&
    req.accepts(['application/problem+json', 'application/json', 'text/html']) === 'text/html'
  );
}

interface Told {
  readonly title: string;
  readonly detail: string;
  readonly request_id?: string;
}

/** A problem in words, with the way back. It loads nothing, as the policy of answers that are no pages wants it. */
export function problemPage({ title, detail, request_id }: Told): string {
  const asked = request_id === undefined ? '' : `<p><small>Request ${escaped(request_id)}</small></p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<h1>${escaped(title)}</h1>
<p>${escaped(detail)}</p>
<p><a href="${DASHBOARD.slice(1)}">To the dashboard</a></p>
${asked}
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
