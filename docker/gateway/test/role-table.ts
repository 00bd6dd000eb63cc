import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOME, ROLES, type Role } from './real-gateway.ts';

export interface RoleRow {
  readonly service: 'memory' | 'timing';
  readonly method: string;
  readonly path: string;
  readonly role: Role | 'none';
}

export function roleTable(): RoleRow[] {
  return readFileSync(join(HOME, 'roles.table'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [service, method, path, role] = line.split(/\s+/);
      return { service, method, path, role } as RoleRow;
    });
}

export function includes(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Where the gateway serves it: with something for each parameter. */
export function pathOf({ service, path }: RoleRow): string {
  const prefix = service === 'timing' ? '/timing' : '';
  return `${prefix}${path.replace(/\{[a-z_]+\}/g, 'abc-1').replace(/\*$/, 'main.js')}`;
}
