/** Such as 'ENOENT', where the system refused something. */
export function systemCode(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string' ? code : null;
}
