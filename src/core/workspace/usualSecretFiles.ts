/**
 * Files that mostly hold keys or passwords, as the setting has them where nobody changed it. The last pattern that fits decides: what
 * stands above the endings of source code is a name that code may have as well, such as `secrets.ts`.
 */
export const usualSecretFiles: Readonly<Record<string, boolean>> = {
  '**/{.secrets,.secret,secrets,.credentials}/**': true,
  '**/{,.}{secret,secrets,credential,credentials}{,.*}': true,
  '**/{,*[._-]}{secret,secrets,credential,credentials}{,[._-]*}.{json,yaml,yml,toml,ini,xml,properties,conf,cfg,env,plist,enc,csv,txt}': true,
  '**/{*credentials*,client_secret*,*service-account*,*service_account*,*serviceaccount*,*firebase-adminsdk*,*-key}.json': true,
  '**/{id_rsa,id_dsa,id_ecdsa,id_ed25519}*': true,
  '**/{*_rsa,*_dsa,*_ecdsa,*_ed25519,ssh_host_*_key,*private[._-]key{,.*}}': true,
  '**/*.env.*': true,
  '**/*.{c,cc,cjs,cpp,cs,css,cts,dart,ex,exs,fs,go,graphql,h,hpp,html,java,js,jsx,kt,kts,lua,mjs,mts,php,pl,proto,py,pyi,rb,rs,scala,scss,svelte,swift,tf,ts,tsx,vb,vue,zig}': false,
  '**/{.env,.env.*,*.env,.envrc,.envrc.*,.dev.vars,.dev.vars.*,local.settings.json}': true,
  '**/{*.tfvars,*.tfvars.json,*.tfstate,*.tfstate.*,.terraformrc,terraform.rc}': true,
  '**/*.{pem,key,p8,p12,pfx,pkcs12,jks,keystore,keytab,ppk,agekey,gpg,pgp,kdb,kdbx,keychain,keychain-db,kwallet,psafe3,ovpn,publishsettings}': true,
  '**/*{private,secret}*.asc': true,
  '**/{.npmrc,.netrc,_netrc,.pypirc,pip.conf,.pgpass,pgpass.conf,.my.cnf,.mylogin.cnf,.git-credentials,.htpasswd,.htdigest,.dockercfg,.boto,.s3cfg,.vault-token,.vault_pass,.vault_pass.txt,.databrickscfg,.sentryclirc,.msmtprc,.fetchmailrc}': true,
  '**/{kubeconfig,kubeconfig.{yaml,yml,json,conf},*.kubeconfig,rclone.conf,ngrok.yml,kaggle.json,settings-security.xml,sftp-config.json,.ftpconfig,.remote-sync.json,filezilla.xml,recentservers.xml,proftpdpasswd,wp-config.php,secret_token.rb,arduino_secrets.h,.*_history}': true,
  '**/{.ssh,.aws,.gnupg,.kube,.azure,.oci,.password-store,.terraform.d,.config/{gcloud,gh,glab-cli,doctl,op,rclone,stripe,sops}}/**': true,
  '**/{.docker/config.json,.vscode/sftp.json,.m2/settings.xml,.gradle/gradle.properties,.cargo/credentials*,.gem/credentials,.bundle/config,.composer/auth.json,.codex/auth.json,containers/auth.json,.circleci/cli.yml,.travis/config.yml,.fly/config.yml,.snowsql/config,huggingface/token,.git/config}': true,
  '{auth.json,**/etc/shadow}': true,
};
