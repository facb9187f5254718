import { readdir } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportQuestion, reportText, reportTitle } from '../../core/diagnosis/report';
import { createScrub } from '../../core/diagnosis/scrub';
import { readSetting, settingDefaults } from '../../platform/contributions';
import type { SettingName } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { showMessage, codeLens } from '../../platform/notify';
import type { ReportedProfile, ReportFact, ReportSources, SettingForm } from '../../core/diagnosis/report';
import type { Known } from '../../core/diagnosis/scrub';

/** Problem reports: unsaved documents for the user to read, complete and copy. Nothing is sent. */
interface ProblemReports extends Disposable {
  /** Creates a report and opens it at the line for describing what happened. */
  show(): Promise<void>;
  /** Copies the open report with the user's additions. If there is none, creates and shows one instead of copying. */
  copy(): Promise<void>;
}

export function createProblemReports(services: Services): ProblemReports {
  const store = new DisposableStore();
  const isReport = (document: vscode.TextDocument) =>
    document.isUntitled && document.languageId === 'markdown' && document.lineAt(0).text === `# ${reportTitle()}`;
  const top = new vscode.Range(0, 0, 0, 0);
  store.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: 'untitled', language: 'markdown' },
      {
        provideCodeLenses: (document) =>
          isReport(document) ? reportCommands().map((command) => codeLens(top, command)) : [],
      },
    ),
  );

  const show = async () => {
    const text = reportText(await gatherFacts(services));
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const questionStart = document.getText().indexOf(reportQuestion());
    const start = document.lineAt(document.positionAt(questionStart).line + 1).range.start;
    editor.selection = new vscode.Selection(start, start);
  };

  return {
    show,
    async copy() {
      const active = vscode.window.activeTextEditor?.document;
      const open = active && isReport(active) ? active : vscode.workspace.textDocuments.findLast(isReport);
      if (!open) return show();
      // The user's own text is theirs to judge, except for keys, which are never meant to be copied.
      const scrub = createScrub({ keys: await keysOf(services), folders: [], names: [] });
      await vscode.env.clipboard.writeText(scrub(open.getText()));
      void showMessage('information', l10n.t('Copied the report.'));
    },
    dispose: () => store.dispose(),
  };
}

function reportCommands(): readonly vscode.Command[] {
  return [
    { title: l10n.t('Copy Report'), command: 'inferenceDesk.copyReport' },
    { title: l10n.t('Save…'), command: 'workbench.action.files.saveAs' },
    { title: l10n.t('Preview'), command: 'markdown.showPreview' },
    { title: l10n.t('Show Log'), command: 'inferenceDesk.showLog' },
  ];
}

/** Collects all the data of a report. Sends no request; leaves out what cannot be read. */
async function gatherFacts(services: Services): Promise<ReportSources> {
  const { account, exchanges, recentErrors } = services;
  const { state } = account;
  const profiles = await reportedProfiles(services);
  const isSignedIn = profiles.some(({ isActive, key }) => isActive && key !== 'missing');
  return {
    known: await knownHere(services),
    language: vscode.env.language,
    at: Date.now(),
    versions: versionFacts(services),
    profiles,
    account: {
      status: isSignedIn ? state.status : 'signedOut',
      ...(state.status === 'failed' && { error: state.error }),
    },
    network: await networkFacts(services),
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

/** Returns the kind only if it is one of VS Code's own, because another can contain a host name. */
function remoteKind(name: string | undefined): string | boolean {
  if (name === undefined) return false;
  return /^(ssh-remote|wsl|dev-container|attached-container|codespaces|tunnel)$/.test(name) ? name : true;
}

async function reportedProfiles({ account, profiles }: Services): Promise<readonly ReportedProfile[]> {
  return Promise.all(
    profiles.list.map(async ({ id, baseUrl }) => {
      const key = await profiles.key(id).catch(() => undefined);
      const keyState = key === '' ? 'unneeded' : 'there';
      return { baseUrl, isActive: id === account.current.id, key: key === undefined ? 'missing' : keyState } as const;
    }),
  );
}

/** Reports whether there is a proxy and how it is trusted, but never which. */
async function networkFacts({ connections }: Services): Promise<readonly ReportFact[]> {
  const environment = process.env;
  const http = vscode.workspace.getConfiguration('http');
  const isSet = (name: string) => (environment[name] ?? environment[name.toLowerCase()] ?? '').trim() !== '';
  const address = String(http.get('proxy') ?? '');
  return [
    [l10n.t('A proxy is configured'), await connections.isProxyConfigured()],
    ['http.proxy', address.trim() !== ''],
    [l10n.t('{0} contains a user name and password', 'http.proxy'), address.includes('@')],
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
  await Promise.allSettled([batchJobs(), media()]);
  return [
    [l10n.t('Conversations'), String(conversations.filter((name) => name.endsWith('.jsonl')).length)],
    [l10n.t('Batches'), stagesOf(batchJobs.jobs)],
    [l10n.t('Unreadable batch records'), String(batchJobs.unreadable.length)],
    [l10n.t('Image and video jobs'), stagesOf(media.jobs)],
    [l10n.t('Unreadable job records'), String(media.unreadable.length)],
  ];
}

/** Returns for example `2 (done 1, running 1)`. */
function stagesOf(jobs: readonly { readonly stage: string }[]): string {
  const counts = new Map<string, number>();
  for (const { stage } of jobs) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  const stages = [...counts].map(([stage, count]) => `${stage} ${count}`).toSorted();
  return stages.length === 0 ? '0' : `${jobs.length} (${stages.join(', ')})`;
}

type Form = 'plain' | 'amount' | 'path' | 'entries' | 'model' | readonly string[];

/** How much of each setting the report shows: strings only from a fixed list, of names chosen by a user only their number. */
const forms: Readonly<Record<Exclude<SettingName, 'profiles'>, Form>> = {
  'network.stack': ['auto', 'undici', 'editor'],
  'network.responseTimeout': 'plain',
  'account.lowBalance': 'amount',
  'statusBar.show': 'plain',
  'chat.messageLimit': 'plain',
  'chat.maxToolRounds': 'plain',
  'chat.instructions': 'amount',
  'chat.instructionFiles': 'plain',
  'chat.dailyTokenBudget': 'plain',
  dailySpendingCap: 'amount',
  prices: 'entries',
  'batch.files': 'entries',
  'batch.severities': 'entries',
  'batch.lenses': 'plain',
  'batch.answers': ['both', 'hints', 'lens', 'off'],
  'batch.resultsFolder': 'path',
  'batch.enqueuedTokens': 'plain',
  'batch.localRequests': 'plain',
  'media.folder': 'path',
  'images.perMinute': 'plain',
  'ghostText.mode': ['off', 'manual', 'automatic'],
  'ghostText.languages': 'entries',
  secretFiles: 'entries',
  'ghostText.model': 'model',
  'ghostText.maxTokens': 'plain',
  'ghostText.waitMs': 'plain',
  'ghostText.maxFileSize': 'plain',
  'ghostText.dailyTokenBudget': 'plain',
  'findByMeaning.candidates': ['auto', 'text', 'embeddings'],
  'agentTools.dailyTokenBudget': 'plain',
  'mcp.dailyOrders': 'plain',
  'mcp.enabled': 'plain',
  'models.capabilities': 'entries',
  'models.overrides': 'entries',
  extensionAccess: 'entries',
  selectionMenu: 'plain',
};

/** Returns the settings that differ from their defaults. The profiles are reported separately. */
function changedSettings({ models }: Services): ReportSources['settings'] {
  const known = new Set(models.state.models.map(({ id }) => id));
  return (Object.keys(forms) as (keyof typeof forms)[])
    .map((name) => ({ name, value: readSetting(name, { onlyUser: false }) }))
    .filter(({ name, value }) => value !== undefined && !isDeepStrictEqual(value, settingDefaults[name]))
    .map(({ name, value }) => ({ name: `inferenceDesk.${name}`, value, form: toForm(forms[name], name, known) }));
}

function toForm(form: Form, name: SettingName, known: ReadonlySet<string>): SettingForm {
  if (typeof form !== 'string') return { kind: 'plain', default: settingDefaults[name], words: form };
  if (form === 'plain') return { kind: 'plain', default: settingDefaults[name] };
  return form === 'model' ? { kind: 'model', known } : { kind: form };
}

/** Returns the keys of all profiles, as far as the secret storage provides them. */
async function keysOf({ profiles }: Services): Promise<readonly string[]> {
  const keys = await Promise.all(profiles.list.map(({ id }) => profiles.key(id).catch(() => undefined)));
  return keys.filter((key) => key !== undefined);
}

/** Returns what identifies this machine and its user. */
async function knownHere(services: Services): Promise<Known> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return {
    keys: await keysOf(services),
    folders: [os.homedir(), ...folders, services.context.globalStorageUri.fsPath],
    names: [userName(), os.hostname()],
  };
}

/** `os.userInfo` throws if the system has no entry for the user. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return '';
  }
}
