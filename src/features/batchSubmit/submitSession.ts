import * as l10n from '@vscode/l10n';
import path, { dirname } from 'node:path';
import { showReport, type FileCheck } from '../../services/batchFiles/checkFiles';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import type { StoredTabs } from '../../platform/webview/screenTabs';
import type { Profile } from '../../services/account/account';
import { takenKeys } from '../../protocol/batchMetadata';
import type { SubmitBounds, SubmitRequest, SubmitUpload, SubmitView } from '../../protocol/batchSubmit';
import { createRetryLineage, type Retry } from '../../services/batchFiles/retryLineage';
import type { LearnedStore } from '../../core/api/learned';
import type { Services } from '../../services/services';
import { createFileReading, documentOf, watchFile, type FileReading, type FileWatch } from './reviewedFile';
import { Sending } from './logic/sending';
import type { SubmitSource } from './submitSource';
import { UserError } from '../../platform/errors/userError';
import { checkMetadata, metadataBounds, usualHours } from '../../core/api/batches/batches.bounds';
import { boundIssues, invalidParameter } from '../../core/api/bounds';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { BatchRules } from '../../core/batch/services/batchRules';
import { isRewritten } from '../../core/jobs/batch/submitBatch';
import { isOfModel, isOfSize, refusesFile } from '../../core/batch/problem';
import { foreign } from '../../core/text/foreignText';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { ageWords } from '../../platform/age';
import type { BatchJob } from '../../services/batches/batches';
import { shortened } from '../../platform/displayText';

/** Smaller files are rechecked without asking when they change, because that takes no noticeable time. */
const checkAtOnceBytes = 20_000_000;

interface StoredPage {
  readonly source: SubmitSource;
  readonly sentAt?: number;
  readonly jobId?: string;
}

/** The stored data of a page for a reload of the window. */
export class PageMemory {
  constructor(
    private readonly tabs: StoredTabs,
    private readonly id: string,
    readonly source: SubmitSource,
  ) {}

  /** When its job was submitted, in Unix milliseconds. */
  get sentAt(): number | undefined {
    return this.stored?.sentAt;
  }

  get jobId(): string | undefined {
    return this.stored?.jobId;
  }

  /** Whether a batch was submitted from the page, or may have been. */
  get isSubmitted(): boolean {
    return this.jobId !== undefined || this.sentAt !== undefined;
  }

  async write(part: { readonly sentAt?: number; readonly jobId?: string } = {}): Promise<void> {
    const { source, sentAt } = this;
    // A new submission has no job yet, so the previous job's id is dropped.
    await this.tabs.store(this.id, { source, ...(sentAt !== undefined && { sentAt }), ...part } satisfies StoredPage);
  }

  private get stored(): StoredPage | undefined {
    return this.tabs.stored(this.id) as StoredPage | undefined;
  }
}

/** The state of a page, and the actions on it. */
export class SubmitSession implements Disposable {
  readonly source: SubmitSource;
  /** Absent if the file is not on this machine. */
  readonly reading: FileReading | undefined;
  readonly watch: FileWatch | undefined;
  readonly sending: Sending;

  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly path: string | undefined;
  private found: readonly SubmitUpload[] = [];
  /** The limits that the service stated in earlier rejections, once they are loaded. */
  learned: LearnedStore | undefined;

  constructor(
    private readonly services: Services,
    private readonly memory: PageMemory,
  ) {
    const { profiles, account, costs } = services;
    const { store } = this;
    const { source } = memory;
    const onChange = () => this.changed.fire();
    this.source = source;
    this.path = source.kind === 'disk' ? source.path : undefined;
    this.watch = this.path === undefined ? undefined : store.add(watchFile(this.path, () => this.onFile()));
    this.reading = this.path === undefined ? undefined : store.add(createFileReading(this.path, services, onChange));
    this.sending = store.add(new Sending(services.batchJobs, () => this.onSending()));
    store.add(
      profiles.onDidChange(() => {
        onChange();
        void this.lookForUploads();
      }),
    );
    store.add(account.onDidChange(onChange));
    store.add(costs.onDidChange(onChange));
    void costs.ready();
    store.add(account.watch());
  }

  /** The profile the batch is submitted with. */
  get profile(): Profile | undefined {
    const { account, profiles } = this.services;
    return this.source.kind === 'disk' ? account.current.profile : profiles.get(this.source.profileId);
  }

  /** The run whose unanswered requests these are. */
  get retry(): Retry | undefined {
    return this.path === undefined ? undefined : createRetryLineage(this.services.context.globalState).of(this.path);
  }

  /** Finds the job that was submitted before a reload, or else checks the file. */
  async begin(): Promise<void> {
    const { jobId, sentAt, isSubmitted } = this.memory;
    if (isSubmitted) {
      await this.sending.resume((jobs) =>
        jobId === undefined
          ? jobs.findLast((job) => job.createdAt >= (sentAt ?? 0) && this.isOf(job))
          : jobs.find(({ id }) => id === jobId),
      );
      const { state } = this.sending;
      if (state.kind === 'job' && state.job.stage !== 'refused') return;
    }
    await this.check();
  }

  /** Files of the account with the same content; the first one is the default choice. */
  get uploads(): readonly SubmitUpload[] {
    return uploadedFirst(this.sending, this.found, this.reading);
  }

  /** Resolves once the check ended, whatever the outcome. */
  async check(): Promise<void> {
    this.found = [];
    await this.reading?.start();
    const state = this.reading?.state;
    if (state?.kind !== 'done') return;
    this.watch?.mark(state.check.stamp);
    await this.watch?.look();
    await this.lookForLimits();
    await this.lookForUploads();
  }

  async save(): Promise<void> {
    if (this.path !== undefined) await documentOf(this.path)?.save();
    await this.check();
  }

  async report(): Promise<void> {
    if (this.reading?.state.kind === 'done') await showReport(this.reading.state.check.report);
  }

  /** Throws `UserError` or `invalidParameter` if it may not be submitted as it is. Resolves once the submission is in progress. */
  async send(request: SubmitRequest): Promise<void> {
    if (!this.sending.isFree) return;
    const { profile, path, watch, source, retry } = this;
    const { log } = this.services;
    if (profile?.id !== request.profileId) throw otherAccount();
    refuseBeyondBounds(request, rulesOf(profile.baseUrl).batch, path !== undefined);
    await watch?.look();
    const checked = this.reading?.state.kind === 'done' ? this.reading.state.check : undefined;
    if (path !== undefined) refuseUnfit(path, { watch, isChecked: checked !== undefined });
    if (checked) refuseFaulty(checked, request);
    const inputFileId = source.kind === 'uploaded' ? source.file.id : request.upload;
    await this.memory.write({ sentAt: Date.now() });
    const sent = this.sending.send({
      ...(path !== undefined && { path }),
      ...(checked?.sha256 !== undefined && { sha256: checked.sha256 }),
      ...(inputFileId !== undefined && { inputFileId }),
      profileId: profile.id,
      completion_window: `${request.hours}h`,
      metadata: request.metadata,
      ...(request.model !== undefined && { replace: { model: request.model } }),
      ...(retry && { retryOf: retry.retryOf }),
      ...(retry?.of && path !== undefined && { folder: dirname(path) }),
    });
    void sent
      .then(() => this.onSent())
      .catch((error: unknown) => log.error('The state of a batch could not be saved.', error));
  }

  dispose(): void {
    this.store.dispose();
  }

  private isOf({ input, inputFileId }: BatchJob): boolean {
    const { source } = this;
    return source.kind === 'disk' ? input?.path === source.path : inputFileId === source.file.id;
  }

  /** A submission in progress continues after the page was closed. */
  private onSending(): void {
    const { state } = this.sending;
    if (state.kind === 'job' && this.memory.jobId !== state.job.id) void this.memory.write({ jobId: state.job.id });
    this.changed.fire();
  }

  private async onSent(): Promise<void> {
    const { state } = this.sending;
    if (state.kind === 'job') await rememberUpload(state.job, this.services);
    // An upload that succeeded, or may have, is offered for the next attempt.
    if (this.sending.isFree) await this.lookForUploads();
  }

  private async lookForUploads(): Promise<void> {
    this.found = [];
    const { profile, reading } = this;
    const state = reading?.state;
    if (!profile || state?.kind !== 'done') return;
    const found = await findUploads(state.check, profile, this.services);
    if (reading?.state !== state || this.profile?.id !== profile.id) return;
    this.found = found;
    this.changed.fire();
  }

  private async lookForLimits(): Promise<void> {
    const { profile } = this;
    if (!profile) return;
    this.learned = await this.services.connections.learned(profile).catch(() => undefined);
    this.changed.fire();
  }

  private onFile(): void {
    const state = this.reading?.state;
    const isSmall = state?.kind === 'done' && state.check.bytes <= checkAtOnceBytes;
    if (this.watch?.file === 'changed' && isSmall && this.sending.isFree) void this.check();
    else this.changed.fire();
  }
}

/** Puts the upload of the previous attempt first, as long as the file has not changed. */
function uploadedFirst(
  { state }: Sending,
  uploads: readonly SubmitUpload[],
  reading: FileReading | undefined,
): readonly SubmitUpload[] {
  const id = state.kind === 'job' ? state.job.inputFileId : undefined;
  const checked = reading?.state.kind === 'done' ? reading.state.check.sha256 : undefined;
  const isOther = state.kind !== 'job' || state.job.parts !== undefined || state.job.input?.sha256 !== checked;
  if (isOther || id === undefined || checked === undefined) {
    return uploads;
  }
  if (isRewritten(state.job)) return uploads;
  const text = l10n.t('Uploaded for this batch');
  return [{ id, text }, ...uploads.filter((one) => one.id !== id)];
}

/** The service's options for the page's form. */
export function submitBoundsOf({ hours, replacementModels, form, severities }: BatchRules): SubmitBounds {
  return {
    isInline: form === 'anthropic' || form === 'openrouter',
    hasOneModel: severities['model.mixed'] !== 'off',
    hours: { least: 1, most: 999, ...hours, usual: usualHours },
    replacementModels,
    metadata: { ...metadataBounds, pairs: metadataBounds.pairs - Object.keys(takenKeys).length },
  };
}

/**
 * Throws `invalidParameter` for values that the page itself reports: a request beyond them is not from its form. `hasFile`: the lines are on
 * this machine, so that any model can be written in them.
 */
function refuseBeyondBounds({ hours, metadata, model }: SubmitRequest, rules: BatchRules, hasFile: boolean): void {
  const { least, most } = submitBoundsOf(rules).hours;
  const [issue] = boundIssues({ hours }, { hours: { min: least, max: most } });
  if (issue) throw invalidParameter(issue);
  if (model !== undefined && !hasFile && !rules.replacementModels.includes(model))
    throw invalidParameter({ parameter: 'replace', rule: 'unknown' });
  // Leaves room for the key that identifies the batch later.
  checkMetadata({ ...metadata, [takenKeys.job]: '' });
}

/** Throws `UserError` if the check found errors that the request neither fixes with its model nor accepts. */
function refuseFaulty({ kinds }: FileCheck, { model, takeErrors }: SubmitRequest): void {
  const errors = kinds
    .map(({ first }) => first)
    .filter(
      ({ severity, code }) => severity === 'error' && !isOfSize(code) && !(model !== undefined && isOfModel(code)),
    );
  if (errors.some(({ code }) => refusesFile(code))) {
    throw new UserError(
      l10n.t('The service would reject this file'),
      l10n.t('Not submitted. Fix the errors and save the file first.'),
    );
  }
  if (errors.length > 0 && !takeErrors) {
    throw new UserError(
      l10n.t('The file has errors'),
      l10n.t("The batch wasn't submitted. Fix the errors, or select the option to submit anyway."),
    );
  }
}

/** Throws `UserError` if the file is not the one that was reviewed. */
function refuseUnfit(
  file: string,
  { watch, isChecked }: { readonly watch: FileWatch | undefined; readonly isChecked: boolean },
): void {
  const name = path.basename(file);
  const state: SubmitView['file'] = watch?.file ?? 'same';
  if (state === 'gone') {
    throw new UserError(
      l10n.t('The file no longer exists'),
      l10n.t('Not submitted, because {0} has been moved or deleted.', foreign(name)),
    );
  }
  if (state === 'changed' || !isChecked) {
    throw new UserError(
      l10n.t('The file has changed since the check'),
      l10n.t('Not submitted, because {0} has changed. Review it again.', foreign(name)),
    );
  }
  if (watch?.isUnsaved) {
    throw new UserError(
      l10n.t('Save the file first'),
      l10n.t('Not submitted, because {0} has unsaved changes.', foreign(name)),
    );
  }
}

function otherAccount(): UserError {
  return new UserError(l10n.t('The active account has changed'), l10n.t('Not submitted. Check the account first.'));
}

/** A single request lists the account's files. No vendor documents a maximum; a longer list costs nothing. */
const listLimit = 1000;
const mostOffered = 3;

/**
 * Returns files of the account with the checked content: first those uploaded from here with the same hash, then those that look alike.
 * Files that the service doesn't list are omitted. Never throws: at worst an upload isn't offered.
 */
async function findUploads(
  check: FileCheck,
  profile: Profile,
  { batchJobs, connections, uploads, log }: Services,
): Promise<readonly SubmitUpload[]> {
  try {
    await batchJobs();
    const client = await connections.client(profile.id);
    if (client.batches.form !== 'file') return [];
    const listed = await client.files.list({ limit: listLimit });
    const { sha256 } = check;
    const account = { profileId: profile.id, baseUrl: profile.baseUrl };
    const remembered = sha256 === undefined ? undefined : await (await uploads()).byContent(account, sha256);
    const known = batchJobs.jobs
      .filter(({ profileId, baseUrl }) => profileId === profile.id && baseUrl === profile.baseUrl)
      .filter((job) => sha256 !== undefined && job.input?.sha256 === sha256 && !job.parts && !isRewritten(job))
      .map(({ inputFileId }) => inputFileId);
    const same = listed.filter(({ id }) => id === remembered?.fileId || known.includes(id));
    const alike = listed.filter((file) => !same.includes(file) && isAlike(file, check));
    return [...same.map((file) => toUpload(file, true)), ...alike.map((file) => toUpload(file, false))].slice(
      0,
      mostOffered,
    );
  } catch (error) {
    log.debug(`Couldn't check for existing uploads: ${String(error)}`);
    return [];
  }
}

function isAlike({ filename, bytes, lineCount }: RemoteFile, check: FileCheck): boolean {
  return (
    filename === path.basename(check.file) && bytes === check.bytes && (lineCount ?? check.requests) === check.requests
  );
}

function toUpload({ id, filename, createdAt }: RemoteFile, isSure: boolean): SubmitUpload {
  const name = filename ?? shortened(id);
  const age = createdAt === undefined ? undefined : ageWords(createdAt * 1000, Date.now(), vscode.env.language);
  return {
    id,
    text: age === undefined ? `${name} · ${shortened(id)}` : `${name} · ${age} · ${shortened(id)}`,
    ...(!isSure && {
      doubt: l10n.t('Same name, size, and number of lines.'),
    }),
  };
}

/** Remembers that a job uploaded its file. A full disk only prevents the upload from being offered again; the batch is not affected. */
async function rememberUpload(job: BatchJob, { uploads, log }: Services): Promise<void> {
  const { profileId, baseUrl, input, inputFileId, ownsUpload, createdAt, parts } = job;
  if (!input || parts || inputFileId === undefined || ownsUpload !== true) return;
  if (isRewritten(job)) return;
  const { path: file, sha256, bytes } = input;
  const upload = { fileId: inputFileId, path: file, sha256, bytes, uploadedAt: createdAt };
  await uploads()
    .then((memory) => memory.remember({ profileId, baseUrl }, upload))
    .catch((error: unknown) => log.warn(String(error)));
}
