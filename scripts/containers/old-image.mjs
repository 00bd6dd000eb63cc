import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { environment, run, timed } from './engine.mjs';

/** The last one that wrote memories.json in format 1. It had no images: they are built of it as of today's. */
export const OLD_COMMIT = 'd655a96^';

/** Builds memory-service of an older commit. */
export async function buildOldImage(scratch) {
  const folder = join(scratch, 'old');
  const tag = 'agent-faculties/memory-service:test-old';
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', OLD_COMMIT], { cwd: root, maxBuffer: 2 ** 30 });
  await run('tar', ['-x', '-C', folder], { input: archive });
  cpSync(join(root, 'docker'), join(folder, 'docker'), { recursive: true });
  cpSync(join(root, '.dockerignore'), join(folder, '.dockerignore'));
  const { BUILD_CA_FILE, BUILD_NPMRC_FILE, ...env } = environment;
  const secrets = [
    ...(BUILD_CA_FILE ? ['--secret', `id=ca,src=${BUILD_CA_FILE}`] : []),
    ...(BUILD_NPMRC_FILE ? ['--secret', `id=npmrc,src=${BUILD_NPMRC_FILE}`] : []),
  ];
  const args = ['BASE_IMAGE', 'RUNTIME_IMAGE', 'APT_MIRROR', 'NPM_REGISTRY'].flatMap((name) =>
    env[name] ? ['--build-arg', `${name}=${env[name]}`] : [],
  );
  // --load, because a builder in a container of its own keeps what it made.
  const build = ['buildx', 'build', '--load', '--file', join('docker', 'memory-service.Dockerfile'), '--tag', tag];
  const seconds = await timed(() => run('docker', [...build, ...secrets, ...args, '.'], { cwd: folder }));
  return { tag, seconds };
}
