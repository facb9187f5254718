import type { VideoForm, VideoIssues, VideoModel, VideosPage } from '../../../src/protocol/videos';

export type Obstacle = 'loading' | 'notOffered' | 'needsSignIn' | 'needsPrompt' | 'needsModel' | 'needsMending';

/** Returns what prevents a video from being requested. `page`: `undefined` until the host sends it. */
export function obstacleOf(form: VideoForm, issues: VideoIssues, page: VideosPage | undefined): Obstacle | undefined {
  // Neither the saved form nor the price has been seen.
  if (!page) return 'loading';
  if (page.isSignedOut) return 'needsSignIn';
  if (page.isNotOffered) return 'notOffered';
  if (form.prompt.trim() === '') return 'needsPrompt';
  if (form.model.trim() === '') return 'needsModel';
  return Object.keys(issues).length > 0 ? 'needsMending' : undefined;
}

/** Returns how a model uses an input image, according to the model list. */
export function imageOf(model: string, models: readonly VideoModel[]): VideoModel['picture'] {
  return models.find(({ id }) => id === model.trim())?.picture ?? 'unknown';
}

/** Formats a time as minutes and seconds, with hours if there are any, as players do. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
