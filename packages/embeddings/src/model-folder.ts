import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadModel, type OnDownloadProgress } from './download-model.ts';
import { ModelUnavailableError } from './embedder-errors.ts';
import { MODEL_FILES } from './model-files.ts';

const BUNDLED_FOLDER = fileURLToPath(new URL('../models/', import.meta.url));

/** Short names of the models that come with the package. */
const BUNDLED: ReadonlyMap<string, string> = new Map([
  ['accurate', 'all-MiniLM-L6-v2'],
  ['fast', 'agent-memory-static-240'],
]);

/** The folder of the model `multilingual`, which is not bundled, because it takes 85 MB. */
export const MULTILINGUAL = 'multilingual-e5-small';

/** `name` or `owner/name`, as Hugging Face allows them. */
const HUGGING_FACE_ID = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)?$/;

export interface ModelFolder {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly modelFile: string;
}

export interface ModelSearch {
  /** `accurate`, `fast`, `multilingual`, a path (absolute, or beginning with ./ or ../), or a Hugging Face id. */
  readonly model: string;
  /** Holds one folder per Hugging Face id, as in `owner/name`; downloads go there too. */
  readonly modelDir: string;
  readonly offline: boolean;
  /** Address of the hub; Hugging Face when absent. */
  readonly hub?: string | undefined;
  readonly onProgress: OnDownloadProgress;
}

/** Where models are looked for when no folder was chosen. */
export function defaultModelDir(): string {
  return join(homedir(), '.cache', 'agent-faculties', 'models');
}

/**
 * The folder of a model. The bundled ones and folders never touch the network.
 * @throws ModelUnavailableError when the model is not on this machine and downloads are forbidden or fail
 */
export async function findModelFolder(search: ModelSearch): Promise<ModelFolder> {
  const { model, modelDir, offline } = search;
  const bundled = BUNDLED.get(model);
  if (bundled) {
    return (
      present(bundled, join(BUNDLED_FOLDER, bundled)) ??
      fail(`${join(BUNDLED_FOLDER, bundled)} is incomplete. Install this project again.`)
    );
  }
  if (isAbsolute(model) || /^\.\.?[\\/]/.test(model)) {
    const folder = resolve(model);
    return (
      present(basename(folder), folder) ??
      fail(
        `There is no model in ${folder}: it needs ${MODEL_FILES.join(' or ')}, tokenizer.json and tokenizer_config.json.`,
      )
    );
  }
  if (model === 'multilingual') {
    const folder = join(resolve(modelDir), MULTILINGUAL);
    return (
      present(MULTILINGUAL, folder) ??
      fail(
        `The model multilingual is not in ${folder}. Make it with "npm run models -- multilingual" in a checkout of this project, or use accurate or fast.`,
      )
    );
  }
  if (!HUGGING_FACE_ID.test(model)) {
    fail(
      `"${model}" names no model. Use accurate, fast, multilingual, a folder (beginning with / or ./), or a Hugging Face id such as owner/name.`,
    );
  }
  const folder = join(resolve(modelDir), model);
  const here = present(model, folder);
  if (here) return here;
  if (offline) {
    fail(
      `The model ${model} is not in ${folder}, and offline mode forbids its download. Put its files there, start once with network, or use accurate or fast, which need none.`,
    );
  }
  await downloadModel({ ...search, folder });
  return present(model, folder) ?? fail(`The download of ${model} left no model in ${folder}. Try again.`);
}

/** A download writes the model file last, so a folder that has it is complete. */
function present(name: string, folder: string): ModelFolder | undefined {
  const modelFile = modelFileIn(folder);
  return modelFile === undefined ? undefined : { name, folder, modelFile };
}

/** The ONNX file of a folder, relative to it; undefined when there is none. */
export function modelFileIn(folder: string): string | undefined {
  return MODEL_FILES.find((file) => existsSync(join(folder, file)));
}

function fail(message: string): never {
  throw new ModelUnavailableError(message);
}
