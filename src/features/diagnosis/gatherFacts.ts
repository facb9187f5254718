import { readdir } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { ReportedProfile, ReportFact, ReportSources } from '../../core/diagnosis/report';
import { isProxyConfigured } from '../../services/account/proxy';
import type { Services } from '../../services/services';
import { changedSettings } from './changedSettings';
import { knownHere } from './known';

/** Collects all the data of a report. Sends no request; leaves out what cannot be read. */
export async function gatherFacts(services: Services): Promise<ReportSources> {
  const { account, exchanges, recentErrors } = services;
  const { state } = account;
  const profiles = await reportedProfiles(services);
  const isSignedIn = profiles.some(({ isActive, hasKey }) => isActive && hasKey);
  return {
    known: await knownHere(services),
    at: Date.now(),
    versions: versionFacts(services),
    profiles,
    account: {
      status: isSignedIn ? state.status : 'signedOut',
      ...(state.status === 'failed' && { error: state.error }),
    },
    network: networkFacts(process.env),
    settings: changedSettings(services),
    counts: await countFacts(services),
    errors: recentErrors.recent,
    calls: exchanges.recent,
  };
}

function versionFacts({ context }: Services): readonly ReportFact[] {
  const { env, workspace, version, UIKind } = vscode;
  const kind = env.uiKind === UIKind.Web ? 'web' : 'desktop';
  const manifest = context.extension.packageJSON as { readonly version?: unknown };
  const folders = workspace.workspaceFolders ?? [];
  return [
    ['Inference Desk', String(manifest.version)],
    [l10n.t('Editor'), `${env.appName} ${version} (${kind}, ${env.appHost})`],
    [l10n.t('Remote'), remoteKind(env.remoteName)],
    ['Node.js', process.version],
    [l10n.t('System'), `${os.type()} ${os.release()} ${process.arch}`],
    [l10n.t('Language'), env.language],
    [l10n.t('Workspace folders'), String(folders.length)],
    [l10n.t('All folders are on disk'), folders.every(({ uri }) => uri.scheme === 'file')],
    [l10n.t('The workspace is trusted'), workspace.isTrusted],
  ];
}

/** Returns the kind only if it is one of the editor's own, because another may contain a host name. */
function remoteKind(name: string | undefined): string | boolean {
  if (name === undefined) return false;
  return /^(ssh-remote|wsl|dev-container|attached-container|codespaces|tunnel)$/.test(name) ? name : true;
}

async function reportedProfiles({ profiles }: Services): Promise<readonly ReportedProfile[]> {
  const { list, active } = profiles;
  return Promise.all(
    list.map(async ({ id, baseUrl }) => ({
      baseUrl,
      isActive: id === active?.id,
      hasKey: (await profiles.key(id).catch(() => undefined)) !== undefined,
    })),
  );
}

/** Reports whether there is a proxy and how it is trusted, but never which. */
function networkFacts(environment: NodeJS.ProcessEnv): readonly ReportFact[] {
  const http = vscode.workspace.getConfiguration('http');
  const isSet = (name: string) => (environment[name] ?? environment[name.toLowerCase()] ?? '').trim() !== '';
  const address = String(http.get('proxy') ?? '');
  return [
    [l10n.t('A proxy is configured'), isProxyConfigured(environment)],
    ['http.proxy', address.trim() !== ''],
    [l10n.t('{0} has a name and a password', 'http.proxy'), address.includes('@')],
    ['http.proxySupport', String(http.get('proxySupport'))],
    ['http.proxyStrictSSL', http.get('proxyStrictSSL') === true],
    ['http.systemCertificates', http.get('systemCertificates') === true],
    ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].map(
      (name): ReportFact => [name, isSet(name)],
    ),
  ];
}

async function countFacts({ context, batchJobs, media }: Services): Promise<readonly ReportFact[]> {
  const conversations = await readdir(join(context.globalStorageUri.fsPath, 'conversations')).catch(() => []);
  await Promise.allSettled([batchJobs.ready(), media.ready()]);
  return [
    [l10n.t('Conversations'), String(conversations.filter((name) => name.endsWith('.jsonl')).length)],
    [l10n.t('Batches'), stagesOf(batchJobs.jobs)],
    [l10n.t('Batch records that cannot be read'), String(batchJobs.unreadable.length)],
    [l10n.t('Orders of pictures and videos'), stagesOf(media.jobs)],
    [l10n.t('Orders that cannot be read'), String(media.unreadable.length)],
  ];
}

/** Returns for example `2 (done 1, running 1)`. */
function stagesOf(jobs: readonly { readonly stage: string }[]): string {
  const counts = new Map<string, number>();
  for (const { stage } of jobs) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  const stages = [...counts].map(([stage, count]) => `${stage} ${count}`).toSorted();
  return stages.length === 0 ? '0' : `${jobs.length} (${stages.join(', ')})`;
}
