import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JobNotice } from '../../core/jobs/jobNotice';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import { noticeSteps, savedPath } from '../../core/jobs/media/noticeSteps';
import type { NoticeStep } from '../../core/jobs/media/noticeSteps';
import { runCommand } from '../../platform/contributions';
import { mediaName, mediaErrorText } from './mediaMessages';
import { sentences } from '../../protocol/sentences';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** What the buttons of a notification do, apart from commands. */
export interface MediaNoticeActs {
  checkNow(id: string): Promise<unknown>;
  fetchAgain(id: string, options?: { readonly evenIfLarge?: boolean }): Promise<unknown>;
  submitAgain(id: string): Promise<unknown>;
}

interface Button {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/** Notifies the user that a job ended or needs attention, unless its page is in view, and runs the chosen action. */
export async function showMediaNotice(job: MediaJob, notice: JobNotice, acts: MediaNoticeActs): Promise<void> {
  if (isInSight(job)) return;
  const { trouble } = job;
  // Images arrive within seconds and by the dozen; that they are done is visible where they were requested.
  if (notice === 'end' && !trouble && job.order.kind === 'image') return;
  const all = buttonsOf(job, acts);
  const buttons = noticeSteps(job, notice).map((step) => all[step]);
  const text = [notice === 'end' ? endText(job) : orderText(job), trouble ? mediaErrorText(trouble, job) : ''];
  const kind = !trouble ? 'information' : savedPath(job) ? 'warning' : 'error';
  const titles = buttons.map(({ title }) => title);
  const chosen = await showMessage(kind, sentences(...text), ...titles);
  await buttons.find(({ title }) => title === chosen)?.run();
}

/** Whether the page of such jobs is being looked at. */
function isInSight({ order }: MediaJob): boolean {
  if (!vscode.window.state.focused) return false;
  const page = order.kind === 'video' ? 'inferenceDesk.videos' : 'inferenceDesk.images';
  return vscode.window.tabGroups.all.some(({ activeTab }) => {
    const input = activeTab?.input;
    return input instanceof vscode.TabInputWebview && input.viewType.endsWith(page);
  });
}

function endText(job: MediaJob): string {
  const name = mediaName(job);
  const isSaved = savedPath(job) !== undefined;
  if (job.order.kind === 'video') {
    return isSaved
      ? l10n.t('Video "{0}" is done.', foreign(name))
      : l10n.t('Video "{0}" isn\'t available.', foreign(name));
  }
  return isSaved
    ? l10n.t('Image "{0}" is done.', foreign(name))
    : l10n.t('Image "{0}" isn\'t available.', foreign(name));
}

function orderText(job: MediaJob): string {
  const name = mediaName(job);
  return job.order.kind === 'video' ? l10n.t('Video "{0}":', foreign(name)) : l10n.t('Image "{0}":', foreign(name));
}

function buttonsOf(job: MediaJob, acts: MediaNoticeActs): Readonly<Record<NoticeStep, Button>> {
  const { id } = job;
  return {
    show: show(job),
    open: { title: l10n.t('Open'), run: () => runCommand('inferenceDesk.media.open', savedPath(job)) },
    fetchAgain: { title: l10n.t('Download Again'), run: () => acts.fetchAgain(id) },
    fetchAnyway: { title: l10n.t('Download Anyway'), run: () => acts.fetchAgain(id, { evenIfLarge: true }) },
    checkNow: { title: l10n.t('Refresh Status'), run: () => acts.checkNow(id) },
    submitAgain: { title: l10n.t('Send Again'), run: () => acts.submitAgain(id) },
  };
}

function show({ id, order }: MediaJob): Button {
  const start = { as: 'job', id };
  return {
    title: l10n.t('Show'),
    run: () => runCommand(order.kind === 'video' ? 'inferenceDesk.videos.open' : 'inferenceDesk.images.open', start),
  };
}
