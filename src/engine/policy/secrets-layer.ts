// Keeps credentials from being read or overwritten by their usual names. As deny wins over every allow, what people publish
// as an example is excepted by the rule itself.
import type { ActKind } from '../../shared/act.ts';
import { toPathGlobs } from './path-globs.ts';
import type { Layer, Rule } from './policy.ts';

const environmentFiles = ['.env', '.env.*', '*.env', '.dev.vars'];
const environmentExamples = [
  '.env.example',
  '.env.sample',
  '.env.template',
  'example.env',
  'sample.env',
  'template.env',
];

const keyFiles = ['*.pem', '*.key', '*.p8', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.ppk', '*.kdbx'];
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
  '.dockercfg',
  '.terraformrc',
  '.s3cfg',
  '.boto',
  'application_default_credentials.json',
  'client_secret*.json',
  '.bash_history',
  '.zsh_history',
  '.psql_history',
];
/** Told apart only by their directory, wherever in the workspace that stands. */
const credentialPaths = [
  '.ssh/*',
  '.gnupg/*',
  '.aws/*',
  '.azure/*',
  '.kube/*',
  '.password-store/*',
  '.config/gcloud/*',
  '.config/gh/hosts.yml',
  '.config/glab-cli/*',
  '.config/op/*',
  '.docker/config.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.composer/auth.json',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.terraform.d/credentials.tfrc.json',
  '.local/share/keyrings/*',
  'Library/Keychains/*',
];

const secretPatterns = [...keyFiles, ...sshKeys, ...credentialFiles, ...credentialPaths.flatMap(toPathGlobs)];

const secretActs: readonly ActKind[] = ['read', 'write'];

export const secretsLayer: Layer = {
  name: 'secrets',
  origin: 'built-in',
  rules: secretActs.flatMap((act) => [
    ...environmentFiles.map((pattern): Rule => ({ act, effect: 'deny', pattern, except: environmentExamples })),
    ...secretPatterns.map((pattern): Rule => ({ act, effect: 'deny', pattern })),
  ]),
  remedy: 'this layer is built in and no rule or approval lifts it: hand over what is needed in a file of another name',
};
