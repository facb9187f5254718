import { emptyVideoForm } from '../../src/protocol/videoForm';
import type { Handlers } from '../../src/protocol/call';
import type { VideoJob, VideosPage, VideosScreen } from '../../src/protocol/videos';

/** The calls of a page, in order. */
type Asked = readonly [method: string, about: unknown];

export const textModel = 'Wan-AI/Wan2.2-T2V-A14B';
export const pictureModel = 'Wan-AI/Wan2.2-I2V-A14B';

/** Returns a completed job, except for the given properties. */
export function videoJob(part: Partial<VideoJob> = {}): VideoJob {
  return {
    id: 'job-1',
    dot: 'done',
    state: 'Done',
    ...(part.dot === undefined && { took: 'in 4 min' }),
    when: '12 min. ago',
    at: 'Nov 21, 2026, 12:04:10 PM',
    model: textModel,
    prompt: 'A paper boat drifts down a gutter in the rain, the camera close to the water',
    size: '1280 × 720',
    seed: '1482193765',
    actions: [{ id: 'forget', label: 'Remove from List', hint: "Saved videos aren't deleted" }],
    files: [],
    facts: [
      { name: 'Processing time', value: '3 min' },
      { name: 'Request ID', value: '0193f2c1-vid-77f0a2c4' },
    ],
    ...part,
  };
}

export interface VideosHostOptions {
  readonly page?: Partial<VideosPage>;
  readonly handlers?: Partial<Handlers<VideosScreen>>;
}

export interface VideosHost {
  readonly handlers: Handlers<VideosScreen>;
  readonly asked: readonly Asked[];
  readonly page: () => VideosPage;
}

/** The host's end of a videos page. */
export function createVideosHost(options: VideosHostOptions = {}): VideosHost {
  const asked: Asked[] = [];
  let page: VideosPage = {
    form: { ...emptyVideoForm, model: textModel },
    formId: 'form 1',
    issues: {},
    models: [
      { id: textModel, picture: 'refused' },
      { id: 'tencent/HunyuanVideo-HD', picture: 'refused' },
      { id: pictureModel, picture: 'needed' },
    ],
    isSignedOut: false,
    jobs: [],
    notices: [],
    costs: [],
    ...options.page,
  };
  const note = (method: string) => async (about: unknown) => {
    asked.push([method, about]);
    return {};
  };
  const handlers: Handlers<VideosScreen> = {
    'videos/ready': async () => page,
    'videos/form': async ({ form }) => {
      asked.push(['form', form]);
      page = { ...page, form };
      const isSeed = form.seed === '' || /^\d{1,10}$/.test(form.seed);
      const use = page.models.find(({ id }) => id === form.model)?.picture;
      const lacks = use === 'needed' && form.picture === '';
      const refuses = use === 'refused' && form.picture !== '';
      const issues = {
        ...(!isSeed && { seed: 'A whole number from 0 to 9999999999.' }),
        ...(lacks && { picture: 'Choose an image first.' }),
        ...(refuses && {
          picture: "This model doesn't support image input. Remove the image, or choose another model.",
        }),
      };
      return { issues };
    },
    'videos/submit': async ({ form }) => {
      asked.push(['submit', form]);
      return { job: 'job-new', message: 'Sent' };
    },
    'videos/stop': note('stop'),
    'videos/choosePicture': async (about) => {
      asked.push(['choosePicture', about]);
      return {};
    },
    'videos/givePicture': async (about) => {
      asked.push(['givePicture', about]);
      return {};
    },
    'videos/actOnJob': note('actOnJob'),
    'videos/failed': note('failed'),
    'videos/actOnFile': note('actOnFile'),
    'videos/saveFrame': async (about) => {
      asked.push(['saveFrame', about]);
      return { message: 'Saved the frame.' };
    },
    'videos/act': note('act'),
  };
  return { asked, page: () => page, handlers: { ...handlers, ...options.handlers } };
}
