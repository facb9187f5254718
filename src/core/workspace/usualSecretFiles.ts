/**
 * Files that usually contain keys or passwords: the default of the setting. The last matching pattern decides: the patterns before the
 * source code extensions use names that code can have as well, such as `secrets.ts`. The patterns after them are secret whatever the
 * extension.
 */
export const usualSecretFiles: Readonly<Record<string, boolean>> = {
  '**/{.secrets,.secret,secrets,.credentials}/**': true,
  '**/{,.}{secret,secrets,credential,credentials}{,.*}': true,
  '**/{,*[._-]}{secret,secrets,credential,credentials}{,[._-]*}.{json,yaml,yml,toml,ini,xml,properties,conf,cfg,env,plist,enc,csv,txt}': true,
  '**/{*credentials*,client_secret*,*service-account*,*service_account*,*serviceaccount*,*firebase-adminsdk*,*-key}.json': true,
  '**/{id_rsa,id_dsa,id_ecdsa,id_ed25519}*': true,
  '**/{*_rsa,*_dsa,*_ecdsa,*_ed25519,ssh_host_*_key,*private[._-]key{,.*}}': true,
  '**/{token,.token,token{,s}.json,password{,s}.{txt,csv}}': true,
  '**/{api{,-,_}key{,s}.{txt,json},*vault[-_]pass*}': true,
  '**/*.env.*': true,
  '**/*.{astro,c,cc,cjs,clj,cpp,cs,css,cts,dart,ex,exs,fs,go,graphql,groovy,h,hpp,hs,html,ipynb,java,js,jsx,kt,kts,less,lua,m,mjs,ml,mts,nix,php,pl,proto,ps1,py,pyi,r,rb,rs,scala,scss,sh,sol,sql,svelte,swift,tf,ts,tsx,vb,vue,zig}': false,
  '**/{*.pub,secrets.{md,mdx,rst},{primary,translation}-key.json}': false,
  '**/{.secrets,.envs}/**': true,
  '**/{.env,.env~,.env[._-]*,*.env,.envrc,.envrc.*,.envfile,.flaskenv,.dev.vars,.dev.vars.*,local.settings.json,appsettings.*.json}': true,
  '**/.env[._-]{example,sample,template,dist}': false,
  '**/{*.tfvars,*.tfvars.json,*.tfstate,*.tfstate.*,*.tfplan,.terraformrc,terraform.rc}': true,
  '**/*.{pem,key,p8,p12,pfx,pkcs12,jks,keystore,keytab,ppk,agekey,gpg,pgp,kdb,kdbx,keychain,keychain-db,kwallet,psafe3,ovpn,publishsettings}': true,
  '**/{*{private,secret}*.asc,{key,keystore,signing}.properties,deploy_key,wg*.conf}': true,
  '**/{.npmrc,.yarnrc.yml,nuget.config,*.{npmrc,pgpass}.bak,.netrc,_netrc,.pypirc,pip.conf,.pgpass,pgpass.conf,.my.cnf,.mylogin.cnf,.git-credentials,htpasswd,.htpasswd,.htdigest,.dockercfg,.boto,.s3cfg,.vault-token,.vault_pass,.vault_pass.txt,.databrickscfg,.sentryclirc,.msmtprc,.fetchmailrc}': true,
  '**/{docker-config.json,k3s.yaml,*accessKeys*.csv,rootkey.csv,kubeconfig,kubeconfig.{yaml,yml,json,conf},*.kubeconfig,rclone.conf,ngrok.yml,kaggle.json,settings-security.xml,sftp-config.json,.ftpconfig,.remote-sync.json,filezilla.xml,recentservers.xml,proftpdpasswd,wp-config.php,wp-config.php.*,secret_token.rb,arduino_secrets.h,.*_history}': true,
  '**/{.ssh,.aws,.gnupg,.kube,.azure,.oci,.password-store,.terraform.d,.config/{gcloud,gh,glab-cli,doctl,op,rclone,stripe,sops}}/**': true,
  '**/{.docker/config.json,.vscode/sftp.json,.m2/settings.xml,.gradle/gradle.properties,.cargo/credentials*,.gem/credentials,.bundle/config,.composer/auth.json,.codex/auth.json,containers/auth.json,.circleci/cli.yml,.travis/config.yml,.fly/config.yml,.snowsql/config,huggingface/token,.git/config}': true,
  '**/{mcp.json,.mcp.json,.claude.json,oauth_creds.json,.idea/dataSources*,.idea/dataSources/**}': true,
  '{auth.json,**/etc/shadow}': true,
};
