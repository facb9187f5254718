import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import type {
  ImageField,
  ImageForm,
  ImageFormAnswer,
  ImagesPage,
  ImagesScreen,
  ImageTile,
  InputField,
} from '../../../src/protocol/images';
import { modelOfStep } from '../../../src/protocol/modelStep';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { TypedForm } from '../typedForm';
import { maxImageBytes } from '../../../src/protocol/mediaBounds';
import { droppedAddresses } from '../../components/droppedAddresses';
import { toBase64 } from '../../components/droppedFiles';
import { isSettled, stripOf } from './strip';
import { emptyImageForm } from '../../../src/protocol/imageForm';

/** The page's state, and its calls to the host. */
export class ImagesSession extends PageSession<ImagesScreen> {
  readonly page = signal<ImagesPage | undefined>(undefined);
  /** Whether a request is being sent. */
  readonly isOrdering = signal(false);
  /** Id of the tile in the large view, and of one compared with it. */
  readonly large = signal<string | undefined>(undefined);
  readonly compared = signal<string | undefined>(undefined);
  /** Id of the first of two tiles to compare, while the second is being chosen. */
  readonly comparing = signal<string | undefined>(undefined);
  /** That the image of a tile was copied, as a localized text. */
  readonly copied = signal<{ readonly tile: string; readonly text: string } | undefined>(undefined);
  readonly focusRequests = signal(0);
  readonly typed;
  /** The results, newest first. */
  readonly strip = computed(() => stripOf(this.page.value?.runs ?? []));
  /** Those with an image. */
  readonly pictures = computed(() => this.strip.value.map(({ tile }) => tile).filter(({ uri }) => uri !== undefined));
  /** The newest result, or the pending one without results. */
  readonly newest = computed(() => this.strip.value.find(isSettled) ?? this.strip.value[0]);
  /** The result that is shown large: the one chosen, else the newest. */
  readonly shown = computed(
    () => this.strip.value.find(({ tile }) => tile.id === this.chosen.value) ?? this.newest.value,
  );
  /** The run of the result chosen, else the newest one, whose progress is of interest. */
  readonly run = computed(() => (this.isNewestShown() ? this.page.value?.runs[0] : this.shown.value?.run));
  /** Whether there is a newer result than when the user chose one. */
  readonly hasNewer = signal(false);
  private readonly chosen = signal<string | undefined>(undefined);
  private shownCount = 0;

  private filled = 0;
  private known = new Map<string, string>();

  constructor(host: Host<ImagesScreen>, say: (text: string) => void) {
    super(host, say);
    this.typed = new TypedForm<ImageForm, ImageFormAnswer>(host.load()?.form ?? emptyImageForm, nothingKnown, {
      ask: (form) => host.call('images/form', { form }),
      save: () => this.save(),
      fail: (error) => this.fail(error),
    });
  }

  async start(): Promise<void> {
    const saved = this.host.load();
    try {
      const page = await this.host.call('images/ready', {});
      batch(() => {
        this.chosen.value = saved?.chosen;
        this.page.value = page;
        this.showRequestedRun(page);
        this.filled = page.filled;
        this.takeForm(saved?.filled === page.filled ? saved.form : page.form);
        this.useFirstModel(page);
      });
      this.typed.begin();
      this.remember(page);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows the host's new state. What was typed stays, unless the host filled in the form. */
  show(page: ImagesPage): void {
    const before = this.page.peek();
    const isFilled = page.filled !== this.filled;
    const known = new Set(
      this.strip
        .peek()
        .filter(isSettled)
        .map(({ tile }) => tile.id),
    );
    const isFollowed = this.isNewestShown();
    batch(() => {
      this.page.value = page;
      if (isFollowed) this.chosen.value = undefined;
      else if (!known.has(this.newest.value?.tile.id ?? '')) this.hasNewer.value = true;
      this.showRequestedRun(page);
      if (page.filled === this.filled) return;
      this.filled = page.filled;
      this.takeForm(page.form);
    });
    if (isFilled || before?.preferred !== page.preferred) this.useFirstModel(page);
    if (before?.pace !== page.pace) this.typed.sync.sendSoon();
    this.tellNews(page);
  }

  tile(id: string | undefined): ImageTile | undefined {
    return this.page.value?.runs.flatMap(({ tiles }) => tiles).find((tile) => tile.id === id);
  }

  /** Shows a result large. */
  choose(id: string): void {
    if (id === this.newest.peek()?.tile.id) return this.chooseNewest();
    this.chosen.value = id;
    this.save();
  }

  /** Shows the newest result large, and each newer one as it comes. */
  chooseNewest(): void {
    batch(() => {
      this.chosen.value = undefined;
      this.hasNewer.value = false;
    });
    this.save();
  }

  async generate(): Promise<void> {
    const page = this.page.peek();
    // Until the page is here, neither the saved form nor the price has been seen.
    if (!page || this.isOrdering.peek() || page.isNotOffered) return;
    this.isOrdering.value = true;
    this.say(l10n.t('Submitting…'));
    await this.ask('images/generate', { form: this.typed.form.peek() });
    this.isOrdering.value = false;
  }

  /** Removes a field the service refused, and sends the rest again. */
  async leaveOut(field: ImageField): Promise<void> {
    this.typed.edit({ [field]: '' });
    await this.generate();
  }

  useSeed({ seed }: ImageTile): void {
    if (seed === undefined) return;
    this.typed.edit({ seed, seeds: 'one' });
    this.say(l10n.t('Seed set to {0}', seed));
    document.getElementById('seed')?.focus();
  }

  async copy({ id, uri = '' }: ImageTile): Promise<void> {
    const pixels = await copyImage(uri).catch(() => undefined);
    if (pixels === undefined) await this.ask('images/tile', { id, action: 'copyPath' });
    else if (pixels !== '') await this.ask('images/copied', { id, pixels });
    const text =
      pixels === undefined
        ? l10n.t("Copied the path because VS Code doesn't support copying images")
        : l10n.t('Image copied');
    this.copied.value = { tile: id, text };
    this.say(text);
  }

  /** Chooses the first of two tiles to compare, then the second. */
  compare(id: string): void {
    const first = this.comparing.peek();
    if (first === undefined || first === id) {
      this.comparing.value = first === id ? undefined : id;
      if (first === undefined) this.say(l10n.t('Select an image to compare with'));
      return;
    }
    batch(() => {
      this.comparing.value = undefined;
      this.large.value = first;
      this.compared.value = id;
    });
  }

  /** The image that was last seen stays shown. */
  closeLarge(): void {
    const { large } = this;
    batch(() => {
      if (large.value !== undefined) this.choose(large.value);
      this.large.value = undefined;
      this.compared.value = undefined;
    });
  }

  async chooseInput(field: InputField): Promise<void> {
    await this.takeInput(field, () => this.host.call('images/chooseInput', {}));
  }

  async giveInput(field: InputField, data: DataTransfer): Promise<void> {
    // Read while handling the event, because the data is unreadable afterward.
    const reading = readImage(data);
    await this.takeInput(field, async () => {
      const image = await reading;
      return image ? this.host.call('images/dropInput', image) : {};
    });
  }

  act(action: string): void {
    const model = modelOfStep(action);
    if (action === 'chooseModel') this.focusRequests.value++;
    else if (model !== undefined) this.typed.edit({ model });
    else if (action === 'retry') void this.generate();
    else void this.ask('images/act', { action });
  }

  private isNewestShown(): boolean {
    return this.shown.value?.tile.id === this.newest.value?.tile.id;
  }

  /** Shows the run that the host wants to be seen, once. */
  private showRequestedRun({ runToShow }: ImagesPage): void {
    if (!runToShow || runToShow.count === this.shownCount) return;
    this.shownCount = runToShow.count;
    const ofRun = this.strip.value.filter(({ run }) => run.id === runToShow.run);
    const first = ofRun.find(isSettled) ?? ofRun[0];
    if (first) this.choose(first.tile.id);
  }

  /** Shows a form, and asks what the host says about it. */
  private takeForm(form: ImageForm): void {
    this.typed.take(form);
    void this.typed.sync.send();
  }

  private useFirstModel({ preferred }: ImagesPage): void {
    if (preferred !== '' && this.typed.form.peek().model === '') this.typed.edit({ model: preferred });
  }

  private async takeInput(field: InputField, ask: () => Promise<{ readonly ref?: string }>): Promise<void> {
    await this.attempt(async () => {
      const { ref } = await ask();
      if (ref !== undefined) this.typed.edit({ [field]: ref });
    });
  }

  /** Announces new and failed images to screen readers, in whole sentences. */
  private tellNews({ runs }: ImagesPage): void {
    for (const { id, state, title, prompt } of runs.flatMap(({ tiles }) => tiles)) {
      const before = this.known.get(id);
      if (before === undefined || before === state) continue;
      if (state === 'shown') this.say(l10n.t('Image generated: {0}', prompt.slice(0, 100)));
      else if (state === 'failed' || state === 'lost' || state === 'notSaved') this.say(title);
    }
    const page = this.page.peek();
    if (page) this.remember(page);
  }

  private remember({ runs }: ImagesPage): void {
    this.known = new Map(runs.flatMap(({ tiles }) => tiles).map(({ id, state }) => [id, state]));
  }

  private save(): void {
    const chosen = this.chosen.peek();
    this.host.save({ form: this.typed.form.peek(), filled: this.filled, ...(chosen !== undefined && { chosen }) });
  }
}

type ProvidedImage = { readonly uri: string } | { readonly name: string; readonly base64: string };

/**
 * Reads the first dropped or pasted file or URL. Of a file that is too large only the name is passed on, so that the host reports
 * it. Call it while handling the event.
 */
async function readImage(data: DataTransfer): Promise<ProvidedImage | undefined> {
  const file = data.files[0];
  if (file) return readFile(file);
  const [uri] = droppedAddresses(data);
  return uri === undefined ? undefined : { uri };
}

async function readFile(file: File): Promise<ProvidedImage> {
  const name = file.name.slice(-200) || 'picture';
  if (file.size > maxImageBytes) return { name, base64: 'tooLarge' };
  // A folder cannot be read.
  return { name, base64: await toBase64(file).catch(() => '') };
}

/**
 * Puts an image on the clipboard as a PNG. Resolves to the ID by which the host's `hasPixels` recognizes it when it is pasted, empty if
 * that can't be computed, or `undefined` if VS Code doesn't allow a page to copy images.
 */
async function copyImage(uri: string): Promise<string | undefined> {
  if (!('clipboard' in navigator) || typeof ClipboardItem === 'undefined') return undefined;
  const drawn = draw(uri);
  const png = drawn.then(toPng);
  // Prevents an unhandled rejection while the clipboard is being written.
  png.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  return pixelsOf(await drawn).catch(() => '');
}

async function draw(uri: string): Promise<HTMLCanvasElement> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  picture.src = uri;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return canvas;
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('There is no picture.'))), 'image/png'),
  );
}

/** The clipboard re-encodes the file, but its pixels stay the same. */
async function pixelsOf(canvas: HTMLCanvasElement): Promise<string> {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return `${width}x${height} ${btoa(String.fromCharCode(...hash))}`;
}

const nothingKnown: ImageFormAnswer = {
  issues: {},
  warnings: {},
  notTaken: {},
  sizes: [],
  ratios: [],
  plan: '',
  pictures: 0,
};
