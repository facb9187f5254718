import type { VideoForm, VideoIssues, VideoModel, VideosPage } from '../../../src/protocol/videos';

export type Obstacle = 'needsSignIn' | 'needsPrompt' | 'needsModel' | 'needsMending';

/** Why nothing can be ordered yet. */
export function obstacleOf(
  form: VideoForm,
  issues: VideoIssues,
  { isSignedOut }: Pick<VideosPage, 'isSignedOut'>,
): Obstacle | undefined {
  if (isSignedOut) return 'needsSignIn';
  if (form.prompt.trim() === '') return 'needsPrompt';
  if (form.model.trim() === '') return 'needsModel';
  return Object.keys(issues).length > 0 ? 'needsMending' : undefined;
}

/** What the models of the list say of the one that is typed. */
export function imageOf(model: string, models: readonly VideoModel[]): VideoModel['picture'] {
  return models.find(({ id }) => id === model.trim())?.picture ?? 'unknown';
}

/** Minutes and seconds, and hours where there are some: what clocks of players show. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
