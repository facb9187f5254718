import assert from 'node:assert/strict';
import { isUsableGlob } from '../../../../src/core/workspace/globs';
import { createSecretCheck } from '../../../../src/core/workspace/secretFiles';
import { usualSecretFiles } from '../../../../src/core/workspace/usualSecretFiles';
import { quickest } from '../../../support/quickest';

const patterns = {
  '**/{.env,.env.*,*.pem}': true,
  '**/{.ssh,.aws}/**': true,
  '**/.env.example': false,
};

describe('secret files', () => {
  const isSecret = createSecretCheck(patterns);
  for (const path of [
    '/home/me/app/.env',
    '/.env',
    '/app/.env.local',
    '/app/a b/[x]/key.pem',
    '/home/me/.ssh/config',
    'app/.env',
    '/app/.ENV',
    '/app/Server.Key.PEM',
    'C:/Users/Me/.SSH/config',
  ])
    it(`are detected by path: ${path}`, () => assert.equal(isSecret(path), true));
  for (const path of [
    '/app/.env.example',
    '/app/environment.ts',
    '/app/.envrc',
    '/app/ssh/config',
    '/app/key.pem.md',
    '',
  ])
    it(`exclude: ${path || '(none)'}`, () => assert.equal(isSecret(path), false));

  it('are detected within 50 ms for any pattern', () => {
    const check = () => createSecretCheck({ '**/*a*a*a*a*b': true })('a'.repeat(150));
    const took = quickest(() => assert.equal(check(), false), 50);
    assert.ok(took < 50, `${took} ms`);
  });

  it('include all others too if a pattern is invalid', () => {
    const long = 'a'.repeat(5000);
    assert.equal(createSecretCheck({ [long]: true })('/app/a.ts'), true);
    assert.equal(createSecretCheck({ [long]: true, '**/*.ts': false })('/app/a.ts'), false);
    assert.equal(createSecretCheck({ '**/.env': true, [long]: false })('/app/.env'), true);
  });

  it('are decided by the last matching pattern', () => {
    const again = createSecretCheck({ ...patterns, '**/app/**': true });
    assert.equal(again('/app/.env.example'), true);
    assert.equal(createSecretCheck({})('/app/.env'), false);
  });
});

describe('the default secret files', () => {
  const isSecret = createSecretCheck(usualSecretFiles);
  const secret: Readonly<Record<string, string>> = {
    'variables of a program':
      '.env .env.local .env.production.local app.env app.env.prod .envrc .envrc.local .env.ts .dev.vars local.settings.json .env~ .env-prod .env_local .flaskenv .envfile .envs/.local/.django .envs/prod.py appsettings.Development.json',
    Terraform:
      'main.tfvars main.tfvars.json terraform.tfstate terraform.tfstate.backup terraform.tfstate.d.1 plan.tfplan .terraformrc .terraform.d/credentials.tfrc.json',
    'secrets by name':
      'secrets secrets.yml secrets.json secret.txt .secrets secrets.prod.yaml app-secrets.yaml app_secrets.toml my.secrets.ini secrets/db_password secrets/prod.json .secrets/token .secrets/x.py .secrets/app/settings.ts token.json tokens.json token .token password.txt passwords.csv passwords.txt apikey.txt api-keys.json api_key.json api_keys.txt arduino_secrets.h secret_token.rb',
    'credentials by name':
      'credentials credentials.json credentials.xml credentials.csv gcp-credentials.json awsCredentials.json credentials.prod.json .credentials/x client_secret.json client_secret_12.apps.json service-account.json service-account-prod.json my-service-account.json serviceAccountKey.json deploy-key.json app-firebase-adminsdk-1.json',
    'keys by ending':
      'server.pem server.key app.p8 app.p12 app.pfx app.jks app.keystore krb5.keytab putty.ppk ring.gpg private.asc my-secret-key.asc key.properties keystore.properties signing.properties safe.kdbx login.keychain-db office.ovpn site.publishsettings',
    'keys of SSH':
      'id_rsa id_rsa.bak id_ed25519 id_ecdsa_sk deploy_rsa ssh_host_ed25519_key private_key private-key.txt otr.private_key deploy_key wg0.conf .ssh/config .ssh/known_hosts',
    clouds:
      '.aws/credentials .aws/config .azure/accessTokens.json .oci/config .config/gcloud/application_default_credentials.json .config/gh/hosts.yml .boto .s3cfg .databrickscfg .config/doctl/config.yaml rclone.conf .config/rclone/rclone.conf admin_accessKeys.csv accessKeys.csv rootkey.csv',
    containers:
      '.docker/config.json .dockercfg docker-config.json k3s.yaml kubeconfig kubeconfig.yaml prod.kubeconfig .kube/config .config/containers/auth.json',
    packages:
      '.yarnrc.yml NuGet.Config .npmrc.bak .npmrc .pypirc pip.conf .m2/settings.xml settings-security.xml .gradle/gradle.properties .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .composer/auth.json',
    logins:
      '.netrc _netrc .htpasswd .pgpass .pgpass.bak htpasswd ansible_vault_password vault-pass.txt .my.cnf .mylogin.cnf .git-credentials .vault-token .vault_pass .gnupg/secring .password-store/a sftp-config.json .vscode/sftp.json filezilla.xml .bash_history .psql_history .git/config wp-config.php wp-config.php.bak wp-config.php.old .idea/dataSources.xml .idea/dataSources.local.xml .idea/dataSources/12.xml',
    'programs with models': 'mcp.json .mcp.json .vscode/mcp.json .claude.json .gemini/oauth_creds.json',
    'continuous integration': '.circleci/cli.yml .travis/config.yml .sentryclirc',
  };
  const ordinary: Readonly<Record<string, string>> = {
    'source code':
      'secretsManager.ts secrets.ts secrets.py secrets.test.ts secrets_manager.py credentials.ts credentials.test.ts Credentials.java credential.service.ts secrets/index.ts secrets/vault.go environment.ts environment.prod.ts env.ts env.d.ts vite-env.d.ts next-env.d.ts dev.env.js keys.ts key.ts api-key.ts private_key.rs id_rsa.go privateKey.java main.tf kubeconfig.go secrets.m secrets.r credentials.clj secrets.sh secrets/load.ps1 secrets.nix Secret.sol secrets.ml Secrets.hs secrets.groovy secrets.sql secrets.ipynb secrets.less Secrets.astro vault_pass.py',
    'settings without keys':
      'package.json tsconfig.json .circleci/config.yml .travis.yml .github/workflows/ci.yml .vscode/settings.json .gitignore .gitattributes .editorconfig .dockerignore docker-compose.yml Dockerfile gradle.properties settings.xml appsettings.json .idea/workspace.xml primary-key.json translation-key.json .cargo/config.toml .gem/specs .bundler.rb config.json config.yaml docker/config.json',
    texts:
      'README.md environment.md secretary.json secretariat.yaml credentialing.md keyboard.json keynote.md monkey.json chapter.asc release.tar.gz.asc history.md bash_history.md envelope.txt locales/en/auth.json locales/en/keys.json locales/en/password.json secrets.md secrets.mdx secrets.rst',
    'public keys': 'server.crt server.cer server.pub id_rsa.pub id_ed25519.pub deploy_rsa.pub ca.csr jwks.json',
    'examples of variables': '.env.example .env.sample .env.template .env.dist .env-example .env_sample',
  };
  const each = (names: string) =>
    names.split(' ').flatMap((name) => [name, `a b/c.d/${name}`, `/home/me/app/${name}`, `app/${name}`.toUpperCase()]);
  for (const [kind, names] of Object.entries(secret)) {
    it(`are detected at any depth and in any case: ${kind}`, () =>
      assert.deepEqual(
        each(names).filter((name) => !isSecret(name)),
        [],
      ));
  }
  for (const [kind, names] of Object.entries(ordinary)) {
    it(`exclude others: ${kind}`, () => assert.deepEqual(each(names).filter(isSecret), []));
  }

  it('include only the one at the top of a workspace if others of its name contain no keys', () => {
    assert.deepEqual(['auth.json', 'locales/auth.json'].filter(isSecret), ['auth.json']);
  });

  it('have valid patterns', () => {
    assert.deepEqual(
      Object.keys(usualSecretFiles).filter((pattern) => !isUsableGlob(pattern)),
      [],
    );
  });
});
