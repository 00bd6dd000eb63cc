import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Of all spaces together: their names are no labels, because nobody knows how many there will be. */
export function spaceFigures({ registry, prefix, open }: { registry: Registry; prefix: string; open: () => number }) {
  const registers = [registry];
  new Gauge({
    name: `${prefix}_spaces_open`,
    help: 'Spaces that are open',
    registers,
    collect() {
      this.set(open());
    },
  });
  return {
    opened: new Counter({ name: `${prefix}_spaces_opened_total`, help: 'Spaces opened since the start', registers }),
    seconds: new Histogram({
      name: `${prefix}_space_open_seconds`,
      help: 'How long opening a space took',
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
  };
}

/** Metrics of the memory that open spaces take. */
export function roomFigures(options: {
  registry: Registry;
  prefix: string;
  mostBytes: number;
  bytes: () => number;
}): void {
  const { registry, prefix, mostBytes, bytes } = options;
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('spaces_bytes', 'Memory that the open spaces take, estimated', bytes);
  gauge('spaces_bytes_limit', 'Memory that the open spaces may take', () => mostBytes);
}
