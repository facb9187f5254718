/** Files that mostly hold keys or passwords, as the setting has them where nobody changed it. */
export const usualSecretFiles: Readonly<Record<string, boolean>> = {
  '**/{.env,.env.*,*.env,*.tfvars}': true,
  '**/{*.pem,*.key,*.p12,*.pfx,*.jks,*.keystore}': true,
  '**/{id_rsa,id_dsa,id_ecdsa,id_ed25519}*': true,
  '**/{.npmrc,.netrc,.pypirc,.pgpass,.git-credentials}': true,
  '**/{secret,secrets,credentials}.*': true,
  '**/{.ssh,.aws,.gnupg,.kube}/**': true,
};
