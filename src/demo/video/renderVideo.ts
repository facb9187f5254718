import { charge } from '../billing';
import { findModel } from '../catalogue';
import { assetUrl, keepAsset } from '../endpoints/assets';
import type { Service } from '../service';
import type { VideoRecord } from '../store';
import { encodeClip } from './encodeClip';

/** The model that answers for model ids that request a fault. */
export const videoStandIn = 'Wan-AI/Wan2.2-T2V-A14B';

const assetName = (video: VideoRecord): string => `${video.id}.mp4`;

export const videoIsDrawn = ({ store }: Service, video: VideoRecord): boolean =>
  store.state.assets.some((asset) => asset.name === assetName(video));

export const videoUrl = (service: Service, video: VideoRecord): string =>
  assetUrl(service, assetName(video), { expired: video.fate === 'expiredUrl' });

/** Draws the clip unless it exists. Starts immediately, so that it is ready when its turn and its time have come. */
export function startVideo(service: Service, video: VideoRecord): void {
  if (video.fate === 'fails' || video.fate === 'endless') return;
  service.background((signal) => service.inTurn(() => draw(service, video, signal)));
}

async function draw(service: Service, video: VideoRecord, signal: AbortSignal): Promise<void> {
  if (signal.aborted || videoIsDrawn(service, video)) return;
  const [width = 0, height = 0] = video.size.split('x').map(Number);
  const { prompt, seed } = video;
  const frames = service.pace().clipFrames;
  const bytes = await encodeClip({ prompt, seed, width, height, frames }, signal);
  // A failed clip costs nothing. A finished one is charged before it is stored, because a client that sees it may query the balance next.
  const model = findModel(video.model) ?? findModel(videoStandIn);
  if (model) await charge(service, model, 1);
  await keepAsset(service, { name: assetName(video), bytes, contentType: 'video/mp4' });
}

const keptForMs = 24 * 3_600_000;

/** After a restart, draws unfinished clips and discards jobs that are more than a day old. */
export function resumeVideos(service: Service): void {
  const { state } = service.store;
  state.videos = state.videos.filter((video) => service.clock() - video.submittedAt < keptForMs);
  for (const video of state.videos) if (service.clock() - video.submittedAt < 3_600_000) startVideo(service, video);
}
