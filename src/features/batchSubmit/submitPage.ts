import path from 'node:path';
import { foreign } from '../../core/text/foreignText';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import { lastCosts } from '../../services/usage/costMessages';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { panelIcon } from '../../platform/panelIcon';
import { runAction } from '../../platform/errors/reportError';
import { showScreen } from '../../platform/webview/webviewHost';
import { submitCalls, type BatchSubmitScreen, type SubmitModel, type SubmitView } from '../../protocol/batchSubmit';
import type { Handlers } from '../../protocol/call';
import type { Services } from '../../services/services';
import { outcomeOf, progressOf } from './outcomeWords';
import { submitBounds, SubmitSession } from './submitSession';
import type { SubmitSource } from './submitSource';
import type { PageMemory } from './pageMemory';
import { checkView, factsOf, placeText, retryText, sourceName } from './viewWords';
import { stampOf } from '../../services/batchFiles/checkFiles';
import { UserError } from '../../platform/errors/userError';

export interface SubmitPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly source: SubmitSource;
  /** What is stored of the page for a reload. */
  readonly memory: PageMemory;
}

/** Fills a tab with the review of a batch. Must be disposed when the tab is closed. */
export function showSubmit({ services, panel, source, memory }: SubmitPageOptions): Disposable {
  const store = new DisposableStore();
  panel.iconPath = panelIcon(services.context.extensionUri, 'submit');
  let isConfirming = false;
  let isOpen = true;
  store.add({ dispose: () => (isOpen = false) });
  const session: SubmitSession = store.add(
    new SubmitSession({
      services,
      source,
      onChange: () => tell(),
      onSend: async (at) => memory.write({ sentAt: at }),
    }),
  );
  const { retry } = session;
  const title = retry?.of
    ? vscode.l10n.t('Retry {0}', foreign(retry.of.name))
    : vscode.l10n.t('Submit {0}', foreign(sourceName(source)));
  panel.title = title;
  const view = () => viewOf(session, services, { submitId: memory.id, heading: title, isConfirming });
  const tell = () => {
    const { state } = session.sending;
    if (state.kind === 'job' && memory.jobId !== state.job.id) void memory.write({ jobId: state.job.id });
    if (state.kind !== 'job' || state.job.stage !== 'unknown') isConfirming = false;
    // A submission in progress continues after the tab is closed.
    if (isOpen) host.tell('submit/changed', view());
  };
  const confirm = (asked: boolean) => {
    isConfirming = asked;
    tell();
  };
  const host = store.add(
    showScreen({
      screen: 'batchSubmit',
      title,
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: handlersOf(session, { services, panel, view, confirm }),
      calls: submitCalls,
      log: services.log,
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  void begin(session, memory).catch((error: unknown) => services.log.error('A page could not be filled.', error));
  return store;
}

/** Finds the job that was submitted before a reload, or else checks the file. */
async function begin(session: SubmitSession, memory: PageMemory): Promise<void> {
  const { jobId, sentAt } = memory;
  if (jobId !== undefined || sentAt !== undefined) {
    await session.sending.resume((jobs) =>
      jobId === undefined
        ? jobs.findLast(
            ({ createdAt, input, inputFileId }) =>
              createdAt >= (sentAt ?? 0) && isOf(session.source, { input, inputFileId }),
          )
        : jobs.find(({ id }) => id === jobId),
    );
    const { state } = session.sending;
    if (state.kind === 'job' && state.job.stage !== 'refused') return;
  }
  await session.check();
}

interface JobFile {
  readonly input: { readonly path: string } | undefined;
  readonly inputFileId: string | undefined;
}

function isOf(source: SubmitSource, { input, inputFileId }: JobFile): boolean {
  return source.kind === 'disk' ? input?.path === source.path : inputFileId === source.file.id;
}

interface HandlerParts {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly view: () => SubmitView;
  readonly confirm: (isAsked: boolean) => void;
}

function handlersOf(session: SubmitSession, parts: HandlerParts): Handlers<BatchSubmitScreen> {
  const { services, panel, view } = parts;
  const done = async (work: void | Promise<unknown>) => {
    await work;
    return {};
  };
  return {
    'submit/ready': async () => view(),
    'submit/models': async () => ({ models: await offeredModels(services) }),
    async 'submit/check'() {
      void session.check();
      return {};
    },
    'submit/stopCheck': async () => done(session.reading?.stop()),
    'submit/save': async () => done(session.save()),
    'submit/report': async () => done(session.report()),
    'submit/goTo': async ({ line }) =>
      done(session.source.kind === 'disk' ? goToLine(session.source.path, line, panel.viewColumn) : undefined),
    'submit/send': async (order) => done(session.send(order)),
    'submit/stop': async () => done(session.sending.stop()),
    'submit/act': async ({ id }) => done(act(id, session, parts)),
  };
}

/** Unknown ids do nothing, because the page is not trusted. */
async function act(id: string, { source, sending }: SubmitSession, { confirm }: HandlerParts): Promise<void> {
  const job = sending.state.kind === 'job' ? sending.state.job : undefined;
  switch (id) {
    case 'lookNow':
      return sending.lookNow();
    case 'askCreateAgain':
      return confirm(true);
    case 'keepLooking':
      return confirm(false);
    case 'createAgain':
      return sending.createAgain();
    case 'runNow':
      return source.kind === 'disk'
        ? runCommand('inferenceDesk.batchFile.runLocally', vscode.Uri.file(source.path))
        : undefined;
    case 'split':
      return source.kind === 'disk'
        ? runCommand('inferenceDesk.batchFile.split', vscode.Uri.file(source.path))
        : undefined;
    case 'showBatches':
      await vscode.commands.executeCommand('inferenceDesk.batches.focus');
      return undefined;
    case 'copyId':
      return job?.batch && vscode.env.clipboard.writeText(job.batch.id);
    case 'openResults':
      return job && runCommand('inferenceDesk.batches.openResults', job.id);
    default:
      await runAction(id);
      return undefined;
  }
}

async function offeredModels({ models }: Services): Promise<readonly SubmitModel[]> {
  const state = await models.ensureFresh();
  return modelsForJob('chat', state.models, state.pins).map((model) => {
    const { name, vendor } = nameOf(model);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}

function viewOf(
  session: SubmitSession,
  { account, profiles, costs }: Services,
  page: { readonly submitId: string; readonly heading: string; readonly isConfirming: boolean },
): SubmitView {
  const { source, reading, watch, uploads, sending, profile } = session;
  const { submitId, heading, isConfirming } = page;
  const of = session.retry?.of;
  const state = reading?.state;
  const check = state?.kind === 'done' ? state.check : undefined;
  const progress = progressOf(sending.state);
  const outcome = outcomeOf(sending.state, isConfirming, costs);
  const isActive = profile !== undefined && profile.id === profiles.active?.id;
  const name = of?.name ?? sourceName(source);
  return {
    submitId,
    bounds: submitBounds,
    name,
    heading,
    place: of ? retryText(of.input) : placeText(source),
    facts: factsOf({ source, state, profile, account: isActive ? account.state : undefined, total: of?.requests }),
    check: checkView(state),
    file: watch?.file ?? 'same',
    isUnsaved: watch?.isUnsaved ?? false,
    ...(profile && { profileId: profile.id }),
    uploads,
    ...(progress && { progress }),
    ...(outcome && { outcome }),
    modelCount: check?.modelCount ?? 0,
    model: (check?.modelCount === 1 && check.models[0]?.id) || '',
    costs: isActive ? lastCosts(costs, 'batch') : [],
    suggestedName: of ? vscode.l10n.t('Retry of {0}', path.parse(name).name) : path.parse(name).name,
    suggestedModel: of?.model ?? '',
    otherSteps: of ? [{ id: 'runNow', label: vscode.l10n.t('Run Now at Full Price…') }] : [],
  };
}

/** Opens a file at a line, in the column where it is already open or else in the page's column. */
async function goToLine(path: string, line: number, pageColumn: vscode.ViewColumn | undefined): Promise<void> {
  const uri = vscode.Uri.file(path);
  if ((await stampOf(path)) === undefined) {
    throw new UserError(
      vscode.l10n.t('The file is not there any more'),
      vscode.l10n.t('It was moved or deleted. Put it back, then check it again.'),
    );
  }
  const open = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  const place = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: open?.viewColumn ?? pageColumn ?? vscode.ViewColumn.Active,
    selection: place,
  });
}
