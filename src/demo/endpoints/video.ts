import { requireBalance } from '../billing';
import type { Call, Endpoint } from '../call';
import { findModel } from '../catalogue';
import { badParameter, unknownModel } from '../refusal';
import type { Service } from '../service';
import type { VideoRecord } from '../store';
import { integer, oneOf, optional, readStrictly, required, text } from '../validate';
import { startVideo, videoIsDrawn, videoStandIn, videoUrl } from '../video/renderVideo';
import { maxSeed } from './images';

const fields = {
  model: required(text({ min: 1 })),
  prompt: required(text({ min: 1 })),
  image_size: required(oneOf('1280x720', '720x1280', '960x960')),
  negative_prompt: optional(text()),
  seed: optional(integer({ min: 0, max: maxSeed })),
  image: optional(text({ min: 1 })),
};

const fates = {
  expiredUrl: 'expiredUrl',
  failedJob: 'fails',
  unknownStatus: 'unknownStatus',
  endlessJob: 'endless',
  noAddress: 'noAddress',
} as const;

function fateOf({ fault }: Call): VideoRecord['fate'] {
  return fault?.effect.kind === 'result' ? fates[fault.effect.how] : 'succeeds';
}

/** Returns when the queue is free for another job: jobs run one after the other. */
function queueEnd({ store, clock, pace }: Service): number {
  const busyUntil = store.state.videos.filter((video) => video.fate !== 'endless').map((video) => video.readyAt);
  return busyUntil
    .filter((end) => end > clock())
    .reduce((most, one) => Math.max(most, one), clock() + pace().videoQueueMs);
}

export const videoSubmit: Endpoint = {
  name: 'POST /video/submit',
  body: 'json',
  standIn: videoStandIn,
  handle: async (call) => {
    const { service, reply, body, modelName } = call;
    const sent = readStrictly(body, fields);
    const model = findModel(sent.model);
    if (model?.type !== 'video') throw unknownModel();
    const fromImage = model.subType === undefined;
    if (fromImage && sent.image === undefined) throw badParameter('Field required: image', 'image');
    if (!fromImage && sent.image !== undefined)
      throw badParameter('Value error, current model does not support parameter `image`.', 'image');
    if (sent.image !== undefined && !/^(https?:\/\/|data:image\/(png|jpeg|webp);base64,)/.test(sent.image))
      throw badParameter('Value error, image should be a URL or a data URI.', 'image');
    requireBalance(service, model);
    const startsAt = queueEnd(service);
    const video: VideoRecord = {
      id: service.newId(),
      model: modelName,
      prompt: [sent.prompt, sent.negative_prompt === undefined ? '' : `without ${sent.negative_prompt}`]
        .join(' ')
        .trim(),
      size: sent.image_size,
      seed: sent.seed ?? Math.floor(service.random() * 2 ** 31),
      submittedAt: service.clock(),
      startsAt,
      readyAt: startsAt + service.pace().videoWorkMs,
      fate: fateOf(call),
    };
    service.store.state.videos.push(video);
    await service.store.save();
    startVideo(service, video);
    return reply.json(200, { requestId: video.id });
  },
};

function statusOf(service: Service, video: VideoRecord): string {
  const now = service.clock();
  if (now < video.startsAt) return 'InQueue';
  if (video.fate === 'endless') return 'InProgress';
  if (now >= video.readyAt && video.fate === 'fails') return 'Failed';
  if (now >= video.readyAt && (videoIsDrawn(service, video) || now - video.readyAt > 3_600_000)) return 'Succeed';
  return video.fate === 'unknownStatus' ? 'PostProcessing' : 'InProgress';
}

export const videoStatus: Endpoint = {
  name: 'POST /video/status',
  body: 'json',
  handle: ({ service, body, reply }) => {
    const { requestId } = readStrictly(body, { requestId: required(text({ min: 1 })) });
    const video = service.store.state.videos.find((item) => item.id === requestId);
    if (video === undefined) throw badParameter(`Value error, no such video request: ${requestId}`, 'requestId');
    const status = statusOf(service, video);
    const ahead = service.store.state.videos.filter(
      (item) => item.startsAt < video.startsAt && item.readyAt > service.clock(),
    ).length;
    return reply.json(200, {
      status,
      reason: status === 'Failed' ? 'The prompt was refused by the content check.' : '',
      ...(status === 'InQueue' ? { position: ahead + 1 } : {}),
      results:
        status === 'Succeed'
          ? {
              videos: video.fate === 'noAddress' ? [] : [{ url: videoUrl(service, video) }],
              timings: { inference: (video.readyAt - video.startsAt) / 1000 },
              seed: video.seed,
            }
          : null,
    });
  },
};
