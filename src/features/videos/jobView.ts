import { l10n } from 'vscode';
import type { LearnedCost } from '../../core/account/costs';
import type { VideoRequest } from '../../core/api/videos/videos.schema';
import { ageWords, durationText } from '../../platform/age';
import { costFacts } from '../../services/usage/costMessages';
import { absoluteTimeText, numberText } from '../../platform/displayText';
import type { MediaJob } from '../../services/media/media';
import { mediaErrorText } from '../../services/media/mediaMessages';
import type { VideoFile, VideoJob, VideoNotice } from '../../protocol/videos';
import { actionsOf } from './jobActions';
import { stateOf } from './jobStates';
import type { JobState } from './jobStates';

export type VideoOrder = MediaJob & { readonly order: { readonly kind: 'video'; readonly request: VideoRequest } };

export interface JobViewParts {
  readonly profiles: {
    readonly active: { readonly id: string } | undefined;
    get(id: string): { readonly name: string } | undefined;
  };
  readonly cost: LearnedCost | undefined;
  readonly now: number;
  readonly language: string;
  readonly files: readonly VideoFile[];
  readonly pictureUri: string | undefined;
}

export function isVideoOrder(job: MediaJob): job is VideoOrder {
  return job.order.kind === 'video';
}

/** Returns a job as the page shows it. */
export function viewJob(job: VideoOrder, parts: JobViewParts): VideoJob {
  const { profiles, now, language, files, pictureUri } = parts;
  const { id, createdAt, position, order, trouble } = job;
  const { request } = order;
  const profile = profiles.get(job.profileId);
  const state = stateOf(job, profile !== undefined);
  const seed = job.seed ?? request.seed;
  const isOther = profiles.active?.id !== job.profileId;
  const note = noteOf(job, state, profile !== undefined);
  return {
    id,
    dot: state.dot,
    state: state.word,
    ...(job.stage === 'running' && position !== undefined && { stateDetail: placeText(position, language) }),
    ...(trouble?.kind === 'ask' && job.stage === 'running' && { stateDetail: l10n.t('Could not be asked') }),
    ...(!state.isOver && { elapsedMs: Math.max(0, now - createdAt) }),
    ...(state.dot === 'done' && tookOf(job, language)),
    when: ageWords(createdAt, now, language),
    at: absoluteTimeText(createdAt, language),
    model: request.model,
    prompt: request.prompt,
    ...(request.negative_prompt && { negativePrompt: request.negative_prompt }),
    size: request.image_size.replace('x', ' × '),
    ...(typeof seed === 'number' && { seed: String(seed) }),
    ...(pictureUri !== undefined && { pictureUri }),
    ...(isOther && { profile: profile?.name ?? l10n.t('removed') }),
    ...(note && { trouble: note }),
    actions: actionsOf(
      job,
      files.some(({ uri }) => uri !== undefined),
    ),
    files,
    facts: [...costFacts(parts.cost), ...factsOf(job, now, language)],
  };
}

function placeText(position: number, language: string): string {
  return l10n.t('position {0}', numberText(position, language));
}

function tookOf({ createdAt, answeredAt }: MediaJob, language: string): { readonly took?: string } {
  // The first check comes after a while: a shorter time would mean nothing.
  return answeredAt === undefined || answeredAt - createdAt < 1000
    ? {}
    : { took: l10n.t('in {0}', durationText(answeredAt - createdAt, language)) };
}

function noteOf(job: VideoOrder, { dot, word }: JobState, isProfileThere: boolean): VideoNotice | undefined {
  const { trouble } = job;
  if (!isProfileThere && dot === 'doubt' && job.stage !== 'unknown') {
    const gone = { kind: 'profileGone', message: '', at: job.createdAt } as const;
    return { tone: 'warning', title: word, detail: mediaErrorText(gone, job) };
  }
  if (!trouble) return undefined;
  const tone = dot === 'failed' ? 'error' : dot === 'done' ? 'info' : 'warning';
  const title =
    dot === 'done' ? l10n.t('Saved elsewhere') : trouble.kind === 'ask' ? l10n.t('Could not be asked') : word;
  return { tone, title, detail: trouble.message };
}

function factsOf(job: MediaJob, now: number, language: string): VideoJob['facts'] {
  const { checkedAt, inferenceSeconds, requestId, traceId } = job;
  return [
    ...(checkedAt !== undefined && job.stage === 'running'
      ? [{ name: l10n.t('Last asked'), value: ageWords(checkedAt, now, language) }]
      : []),
    ...(inferenceSeconds === undefined
      ? []
      : [{ name: l10n.t('Time at the service'), value: durationText(inferenceSeconds * 1000, language) }]),
    ...(requestId === undefined ? [] : [{ name: l10n.t('Request ID'), value: requestId }]),
    ...(traceId === undefined ? [] : [{ name: l10n.t('Trace ID'), value: traceId }]),
  ];
}
