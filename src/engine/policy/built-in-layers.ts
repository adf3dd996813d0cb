// Layers that lie underneath every policy. `secrets` keeps credentials from being read or overwritten by their usual
// names; as deny wins over every allow, what people publish as an example is excepted by the rule itself.
import type { ActKind } from '../../shared/act.ts';
import type { Layer, Rule } from './policy.ts';

const environmentFiles = ['.env', '.env.*'];
const environmentExamples = ['.env.example', '.env.sample', '.env.template'];

const keyFiles = ['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.ppk', '*.kdbx'];
const sshKeys = ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk'];
const credentialFiles = [
  '.npmrc',
  '.pypirc',
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.vault-token',
];
/** Told apart only by their directory, wherever in the workspace that stands. */
const credentialPaths = [
  '.ssh/*',
  '.gnupg/*',
  '.aws/credentials',
  '.aws/config',
  '.azure/*',
  '.config/gcloud/*',
  '.config/gh/hosts.yml',
  '.docker/config.json',
  '.kube/config',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
];

const secretActs: readonly ActKind[] = ['read', 'write'];

const secretPatterns = [
  ...keyFiles,
  ...sshKeys,
  ...credentialFiles,
  ...credentialPaths.flatMap((path) => [path, `*/${path}`]),
];

const secretRules: readonly Rule[] = secretActs.flatMap((act) => [
  ...environmentFiles.map((pattern): Rule => ({ act, effect: 'deny', pattern, except: environmentExamples })),
  ...secretPatterns.map((pattern): Rule => ({ act, effect: 'deny', pattern })),
]);

/** In the order in which they are judged and reported. */
export const builtInLayers: readonly Layer[] = [
  {
    name: 'secrets',
    rules: secretRules,
    remedy:
      'this layer is built in and no rule or approval lifts it: hand over what is needed in a file of another name',
  },
];
