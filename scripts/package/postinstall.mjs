// Runs when a user installs the tarball: makes the native modules load here, as the set-up of the repository does. Where npm does not
// run it, which from version 12 on it asks about, scripts/start.mjs does the same once a service cannot start.

import { mendNativeModules } from '../lib/native-modules.mjs';
import { runMain } from '../lib/say.mjs';

await runMain(mendNativeModules);
