/** The code of an error of the system, such as 'ENOENT'; null for other errors. */
export function systemCode(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string' ? code : null;
}
