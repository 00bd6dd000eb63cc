import type { NamePage, NamePageRequest } from '../../../src/domain/page.ts';

/** The names of all pages, which are small so that there are several. */
export async function everyName(
  read: (page: NamePageRequest) => Promise<NamePage>,
  { limit = 2 }: { readonly limit?: number } = {},
): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const { items, next }: NamePage = await read({ limit, after });
    expectAtMost(items, limit);
    names.push(...items);
    if (next === null) return names;
    after = next;
  }
}

function expectAtMost(items: readonly string[], limit: number): void {
  if (items.length > limit) throw new Error(`a page of ${items.length} names where ${limit} were asked for`);
}
