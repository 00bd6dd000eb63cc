import type { TransferItem, TransferStore } from '../../../src/domain/transfer.ts';
import type { Whose } from '../../../src/domain/whose.ts';

/** All of an export. */
export async function exportedItems(transfer: TransferStore, whose: Whose): Promise<TransferItem[]> {
  const items: TransferItem[] = [];
  for await (const batch of transfer.export(whose)) items.push(...batch);
  return items;
}
