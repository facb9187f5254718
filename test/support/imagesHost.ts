import type { Handlers } from '../../src/protocol/call';
import { emptyImageForm } from '../../src/protocol/imageForm';
import type {
  ImageForm,
  ImageFormAnswer,
  ImageRunView,
  ImagesPage,
  ImagesScreen,
  ImageTile,
} from '../../src/protocol/images';

/** The calls of a page, in order. */
type Asked = readonly [method: string, about: unknown];

export interface ImagesHost {
  readonly handlers: Handlers<ImagesScreen>;
  readonly asked: readonly Asked[];
  readonly page: () => ImagesPage;
  /** Changes the page's state. The test notifies the page. */
  change(part: Partial<ImagesPage>): ImagesPage;
}

export interface ImagesHostOptions {
  readonly page?: Partial<ImagesPage>;
  readonly answer?: Partial<ImageFormAnswer> | ((form: ImageForm) => Partial<ImageFormAnswer>);
  readonly handlers?: Partial<Handlers<ImagesScreen>>;
}

export const imageModels = ['black-forest-labs/FLUX.2-pro', 'Qwen/Qwen-Image', 'Qwen/Qwen-Image-Edit-2509'] as const;

/** Returns a drawing instead of a file, because the page loads nothing from elsewhere. */
export function drawnPicture(width: number, height: number, hue: number): string {
  const colour = (light: number) => `hsl(${hue} 60% ${light}%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour(70)}"/><circle cx="70%" cy="30%" r="12%" fill="${colour(90)}"/><path d="M0 ${height} L${width * 0.3} ${height * 0.5} L${width * 0.55} ${height * 0.8} L${width * 0.75} ${height * 0.6} L${width} ${height}Z" fill="${colour(30)}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export const lakePrompt = 'A quiet mountain lake at dawn, mist over the water, oil on canvas';

export function shownTile(id: string, part: Partial<ImageTile> = {}): ImageTile {
  const { width = 1024, height = 768 } = part;
  return {
    id,
    state: 'shown',
    title: '',
    detail: '',
    actions: [],
    width,
    height,
    uri: drawnPicture(width, height, (Number(id.split('.')[1]) * 67 + 200) % 360),
    prompt: lakePrompt,
    seed: String(4_211_907 + Number(id.split('.')[1])),
    size: `${width} × ${height}`,
    seconds: '3.4 sec',
    model: imageModels[0],
    ...part,
  };
}

export function comingTile(id: string, state: ImageTile['state'], part: Partial<ImageTile> = {}): ImageTile {
  const { uri: _uri, seconds: _seconds, ...rest } = shownTile(id);
  return { ...rest, state, title: state, ...part };
}

export function imageRun(id: string, tiles: readonly ImageTile[], part: Partial<ImageRunView> = {}): ImageRunView {
  return {
    id,
    prompt: lakePrompt,
    facts: `${imageModels[0]} · ${tiles.length} pictures`,
    age: '2 min. ago',
    status: '',
    canStop: false,
    canGoOn: false,
    canForget: true,
    tiles,
    ...part,
  };
}

/** Creates the host's end of an images page, with the host's English texts. */
export function createImagesHost(options: ImagesHostOptions = {}): ImagesHost {
  const asked: Asked[] = [];
  let page: ImagesPage = {
    models: imageModels,
    preferred: imageModels[0],
    modelsAreLoading: false,
    isSignedIn: true,
    form: { ...emptyImageForm, model: imageModels[0] },
    filled: 1,
    inputs: {},
    notices: [],
    runs: [],
    hasOlder: false,
    pace: 'At most 2 per minute',
    ...options.page,
  };
  const note = (method: string) => async (about: unknown) => {
    asked.push([method, about]);
    return {};
  };
  const answerOf = (form: ImageForm): ImageFormAnswer => ({
    issues: {},
    warnings: {},
    notTaken: {
      image: "This model doesn't support the setting, according to the service.",
      image2: "This model doesn't support the setting, according to the service.",
      image3: "This model doesn't support the setting, according to the service.",
      negative_prompt: "This model doesn't support the setting, according to the service.",
      cfg: "This model doesn't support the setting, according to the service.",
    },
    sizes: ['512x512', '768x1024', '1024x768', '576x1024', '1024x576'],
    ratios: [],
    plan: form.prompt === '' ? 'Describe the image to start.' : '1 image.',
    pictures: form.prompt === '' ? 0 : 1,
    ...(typeof options.answer === 'function' ? options.answer(form) : options.answer),
  });
  const handlers: Handlers<ImagesScreen> = {
    'images/ready': async () => page,
    'images/form': async ({ form }) => {
      asked.push(['form', form]);
      return answerOf(form);
    },
    'images/generate': async (about) => note('generate')(about.form),
    'images/run': note('run'),
    'images/failed': note('failed'),
    'images/tile': note('tile'),
    'images/copied': note('copied'),
    'images/step': note('step'),
    'images/chooseInput': async () => {
      asked.push(['chooseInput', {}]);
      return { ref: 'input:lake.png' };
    },
    'images/dropInput': async (about) => {
      asked.push(['dropInput', about]);
      return { ref: 'input:lake.png' };
    },
    'images/older': note('older'),
    'images/act': note('act'),
  };
  return {
    asked,
    page: () => page,
    change: (part) => (page = { ...page, ...part }),
    handlers: { ...handlers, ...options.handlers },
  };
}
