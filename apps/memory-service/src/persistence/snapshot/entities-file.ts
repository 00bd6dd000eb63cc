import { nextTurn } from '../../domain/concurrency/next-turn.ts';
import { TEXTS_OF_A_TURN } from '../../domain/concurrency/texts-of-a-turn.ts';
import type { EntityType } from '../../domain/memory/memory.ts';
import type { SnapshotRecords } from '../../store/records/snapshot-records.ts';
import { TextFile } from '../files/text-file.ts';

// {"format":1,"generation":7,"entities":[
// {"name":"Kestrel","type":"project","memory_ids":["...","..."]},
// ]}

const FORMAT = 1;

/**
 * Writes which memories name each entity. It is made from the memories for people and other programs; a start does not need it.
 */
export async function writeEntities(
  path: string,
  { generation, memories }: { generation: number; memories: SnapshotRecords },
): Promise<{ bytes: number; sha256: string }> {
  const entities = await collectMentions(memories);
  return TextFile.write(path, async (text) => {
    text.add(`{"format":${FORMAT},"generation":${generation},"entities":[`);
    let entityEnd = '\n';
    for (const { name, type, memoryIds } of entities) {
      text.add(`${entityEnd}{"name":${JSON.stringify(name)},"type":"${type}","memory_ids":[`);
      entityEnd = ',\n';
      let idEnd = '';
      for (const id of memoryIds) {
        text.add(`${idEnd}${JSON.stringify(id)}`);
        idEnd = ',';
        if (text.isFull) await text.drain();
      }
      text.add(']}');
      if (text.isFull) await text.drain();
    }
    text.add('\n]}\n');
  });
}

interface Mentions {
  readonly name: string;
  readonly type: EntityType;
  readonly memoryIds: string[];
}

async function collectMentions(memories: SnapshotRecords): Promise<Iterable<Mentions>> {
  const byKey = new Map<string, Mentions>();
  let [seen, characters] = [0, 0];
  for (const { memory } of memories) {
    seen += 1;
    characters += memory.content.length;
    if (seen === TEXTS_OF_A_TURN.memories || characters >= TEXTS_OF_A_TURN.characters) {
      await nextTurn();
      [seen, characters] = [0, 0];
    }
    for (const { name, type } of memory.entities) {
      const key = `${type} ${name}`;
      const mentions = byKey.get(key);
      if (mentions) mentions.memoryIds.push(memory.id);
      else byKey.set(key, { name, type, memoryIds: [memory.id] });
    }
  }
  return byKey.values();
}
