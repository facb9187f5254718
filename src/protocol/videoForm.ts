import type { VideoForm } from './videos';

/** The sizes listed by the service: https://docs.siliconflow.com/en/api-reference/videos/videos_submit */
export const videoSizes = ['1280x720', '720x1280', '960x960'] as const;

export const emptyVideoForm: VideoForm = {
  prompt: '',
  negativePrompt: '',
  model: '',
  size: '1280x720',
  seed: '',
  picture: '',
};
