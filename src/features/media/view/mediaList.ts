import type { Asset, MediaJob } from '../../../services/media/media';
import type { MediaRow } from '../logic/mediaRow';
import { mediaRows } from '../logic/mediaRows';
import { isUnderWay } from '../logic/underWay';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ListRow } from '../../../platform/listRow';
import type { Services } from '../../../services/services';
import { toMediaItem } from './mediaItem';
import { absoluteTimeText, bytesText, numberText } from '../../../platform/displayText';
import { factsTooltip, type Fact } from '../../../platform/factsTooltip';
import { mediaErrorText } from '../../../services/media/mediaMessages';
import { stateWords } from './jobWords';
import { sizeWords, titleOf } from './generatedMessages';
import { joined, picture } from '../../../platform/notify';
import { durationText } from '../../../protocol/formats';

/** The rows of the view, read again each time; a row keeps its identity while it exists. */
export interface MediaList {
  /** Rejects if the rows cannot be read. */
  read(): Promise<readonly ListRow<MediaRow>[]>;
  /** Rows whose text changes as time passes. */
  ticking(): readonly ListRow<MediaRow>[];
  toItem(row: ListRow<MediaRow>): vscode.TreeItem;
  tooltipOf(row: ListRow<MediaRow>): vscode.MarkdownString;
  /** Returns the URIs of the rows' files for a drag, as a URI list; `undefined` if there are none. */
  dragged(rows: readonly ListRow<MediaRow>[]): string | undefined;
}

export function createMediaList({ media, profiles }: Services): MediaList {
  let known: ReadonlyMap<string, ListRow<MediaRow>> = new Map();
  return {
    async read() {
      const service = await media();
      const made = await service.assets.list();
      const rows = mediaRows({ jobs: service.jobs, unreadable: service.unreadable, made });
      known = new Map(
        rows.map((item) => {
          const row = known.get(item.key) ?? new ListRow<MediaRow>(item.key, item);
          row.item = item;
          return [item.key, row];
        }),
      );
      return [...known.values()];
    },
    ticking: () => [...known.values()].filter(({ item }) => item.kind === 'job' && isUnderWay(item.job)),
    toItem: ({ key, item }) => Object.assign(toMediaItem(item, Date.now()), { id: key }),
    tooltipOf: ({ item }) => mediaTooltip(item, (id) => profiles.get(id)?.name),
    dragged(rows) {
      const files = rows.flatMap(({ item }) => (item.kind === 'made' ? [vscode.Uri.file(item.asset.path)] : []));
      return files.length === 0 ? undefined : files.map(String).join('\r\n');
    },
  };
}

/** Bytes. Larger images would delay the hover. */
const largestPreview = 20_000_000;
const longestText = 600;

/** `profileName` returns a profile's name by id, `undefined` if it was removed. */
export function mediaTooltip(row: MediaRow, profileName: (id: string) => string | undefined): vscode.MarkdownString {
  switch (row.kind) {
    case 'job':
      return jobTooltip(row.job, profileName);
    case 'unreadable':
      return factsTooltip(l10n.t('Unreadable job'), [[l10n.t('Record'), row.record.path]]);
    case 'made':
      return madeTooltip(row.asset);
    case 'all':
      return factsTooltip(l10n.t('Show All in Gallery'), []);
  }
}

function madeTooltip({ recipe, path }: Asset): vscode.MarkdownString {
  const { language } = vscode.env;
  const { request, file, inferenceSeconds, traceId, createdAt, service } = recipe;
  const seed = recipe.seed ?? ('seed' in request ? request.seed : undefined);
  const negative = 'negative_prompt' in request ? request.negative_prompt : undefined;
  const tooltip = factsTooltip(cut(titleOf(recipe)), [
    [l10n.t('Negative prompt'), negative ? cut(negative) : undefined],
    [l10n.t('Model'), request.model],
    [l10n.t('Size'), [sizeWords(recipe), bytesText(file.bytes, language)].filter(Boolean).join(' · ')],
    [l10n.t('Seed'), seed === undefined || seed === null ? undefined : String(seed)],
    [
      l10n.t('Processing time'),
      inferenceSeconds === undefined ? undefined : durationText(inferenceSeconds * 1000, language, 'measured'),
    ],
    [l10n.t('Created'), absoluteTimeText(Date.parse(createdAt), language)],
    [l10n.t('Service'), service],
    [l10n.t('Trace ID'), traceId],
    [l10n.t('File'), path],
  ]);
  if (recipe.kind !== 'image' || file.bytes > largestPreview) return tooltip;
  return joined([tooltip, picture(path, previewSize(file.width, file.height))]);
}

/** Fits the image into a square of 260 pixels. */
function previewSize(width = 1, height = 1): { readonly width: number; readonly height: number } {
  const most = 260;
  const scale = most / Math.max(width, height, 1);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function jobTooltip(job: MediaJob, profileName: (id: string) => string | undefined): vscode.MarkdownString {
  const { language } = vscode.env;
  const { task, position, createdAt, checkedAt, baseUrl, requestId, profileId, lastError } = job;
  const { request } = task;
  const time = (at: number | undefined) => (at === undefined ? undefined : absoluteTimeText(at, language));
  const facts: readonly Fact[] = [
    [l10n.t('Status'), stateWords(job)],
    [l10n.t('Position in queue'), position === undefined ? undefined : numberText(position, language)],
    [l10n.t('Model'), request.model],
    [l10n.t('Size'), request.image_size ?? undefined],
    [l10n.t('Seed'), request.seed === undefined || request.seed === null ? undefined : String(request.seed)],
    [l10n.t('Submitted'), time(createdAt)],
    [l10n.t('Last checked'), time(checkedAt)],
    [l10n.t('Account'), profileName(profileId)],
    [l10n.t('Service'), baseUrl],
    [l10n.t('Request ID'), requestId],
  ];
  return factsTooltip(cut(request.prompt), facts, lastError ? [mediaErrorText(lastError, job)] : []);
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
