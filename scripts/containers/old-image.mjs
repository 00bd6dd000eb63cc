import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { environment, run, timed } from './engine.mjs';

/** The last one that wrote memories.json in format 1. */
export const OLD_COMMIT = 'd655a96^';
/** It had no images: they are built of it by the files of a commit soon after it. Today's ask for packages that it does not have. */
const DOCKER_COMMIT = '4f9da8a4';

/** Builds memory-service of an older commit. */
export async function buildOldImage(scratch) {
  const folder = join(scratch, 'old');
  const tag = 'agent-faculties/memory-service:test-old';
  mkdirSync(folder);
  for (const what of [[OLD_COMMIT], [DOCKER_COMMIT, 'docker', '.dockerignore']]) {
    const archive = execFileSync('git', ['archive', ...what], { cwd: root, maxBuffer: 2 ** 30 });
    await run('tar', ['-x', '-C', folder], { input: archive });
  }
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
