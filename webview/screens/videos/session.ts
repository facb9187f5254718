import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import { modelOfStep } from '../../../src/protocol/modelStep';
import type {
  VideoFileAction,
  VideoJobAction,
  VideoImage,
  VideosPage,
  VideosScreen,
  VideoForm,
  VideoIssues,
} from '../../../src/protocol/videos';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { obstacleOf } from './form';
import type { ProvidedImages } from './readImages';
import { labelled } from '../../../src/protocol/sentences';
import { emptyVideoForm } from '../../../src/protocol/videoForm';
import { TypedForm } from '../typedForm';

/** The page's state for the form and the jobs, and its calls to the host. */
export class VideosSession extends PageSession<VideosScreen> {
  readonly page = signal<VideosPage | undefined>(undefined);
  /** `performance.now()` when the host's state arrived. */
  readonly reportedAt = signal(0);
  /** The job that the error is about. */
  readonly errorJob = signal<string | undefined>(undefined);
  /** Id of the open job. */
  readonly open = signal<string | null>(null);
  readonly loops = signal(false);
  readonly rate = signal(1);
  /** Set while a request is being sent; `text` is the localized reason it waits. */
  readonly sending = signal<{ readonly text: string } | undefined>(undefined);
  readonly isReadingPicture = signal(false);
  readonly picture = signal<VideoImage | undefined>(undefined);
  /** Incremented each time the user must choose a model. */
  readonly focusRequests = signal(0);
  readonly typed;
  readonly obstacle = computed(() => obstacleOf(this.typed.form.value, this.typed.answer.value, this.page.value));

  private shownTimes = 0;

  constructor(host: Host<VideosScreen>, say: (text: string) => void) {
    super(host, say);
    this.typed = new TypedForm<VideoForm, VideoIssues>(
      host.load()?.form ?? emptyVideoForm,
      {},
      {
        ask: async (form) => (await host.call('videos/form', { form })).issues,
        save: () => this.save(),
        fail: (error) => this.fail(error),
      },
    );
  }

  async start(): Promise<void> {
    const saved = this.host.load();
    await this.attempt(async () => {
      const page = await this.host.call('videos/ready', {});
      batch(() => {
        if (this.shownTimes === 0) this.open.value = saved?.open ?? null;
        this.loops.value = saved?.loops ?? false;
        this.rate.value = saved?.rate ?? 1;
        this.take(page, saved?.formId === page.formId ? saved.form : undefined);
      });
      this.typed.begin();
    });
  }

  /** Shows the host's new state. */
  show(page: VideosPage): void {
    batch(() => this.take(page));
  }

  private take(page: VideosPage, typed?: VideosScreen['state']['form']): void {
    const before = this.page.peek();
    const isOtherForm = before?.formId !== page.formId;
    this.sayEnds(page);
    // A job is recorded before its request is answered; open it as soon as it appears.
    const [newest] = page.jobs;
    if (this.sending.peek() && newest && !before?.jobs.some(({ id }) => id === newest.id)) this.open.value = newest.id;
    this.page.value = page;
    this.reportedAt.value = performance.now();
    if (isOtherForm || typed) this.typed.take(page.form, typed);
    // The host may find a model to start with.
    else if (this.typed.form.peek().model === '' && page.form.model !== '') this.typed.edit({ model: page.form.model });
    if (isOtherForm || typed || !this.typed.sync.isWaiting) this.typed.answer.value = page.issues;
    // The image of a newer form arrives with the response that provided the image.
    if (page.picture && page.picture.ref === this.typed.form.peek().picture) this.picture.value = page.picture;
    if (page.jobToShow && page.jobToShow.times > this.shownTimes) {
      this.shownTimes = page.jobToShow.times;
      this.open.value = page.jobToShow.job;
    }
    this.save();
  }

  private sayEnds({ jobs }: VideosPage): void {
    const before = new Map(this.page.peek()?.jobs.map((job) => [job.id, job.elapsedMs !== undefined]));
    for (const { id, elapsedMs, state, prompt } of jobs)
      if (before.get(id) && elapsedMs === undefined) this.say(labelled(state, prompt));
  }

  toggle(job: string): void {
    this.open.value = this.open.peek() === job ? null : job;
    this.save();
  }

  setPlaying(part: { readonly loops?: boolean; readonly rate?: number }): void {
    batch(() => {
      this.loops.value = part.loops ?? this.loops.peek();
      this.rate.value = part.rate ?? this.rate.peek();
    });
    this.save();
  }

  async submit(): Promise<void> {
    if (this.obstacle.peek() !== undefined) await this.typed.sync.settled();
    if (this.sending.peek() || this.isReadingPicture.peek()) return;
    if (this.obstacle.peek() !== undefined) return;
    const form = this.typed.form.peek();
    this.sending.value = { text: '' };
    this.say(l10n.t('Submitting…'));
    await this.attempt(
      async () => {
        const { job, message } = await this.host.call(
          'videos/submit',
          { form },
          { onChunk: ({ text }) => (this.sending.value = { text }) },
        );
        this.open.value = job;
        this.save();
        // The page shows the same text.
        this.say(message);
      },
      () => this.submit(),
    );
    this.sending.value = undefined;
  }

  stop(): void {
    void this.host.call('videos/stop', {}).then(
      () => this.say(l10n.t('Stopped.')),
      (error: unknown) => this.fail(error),
    );
  }

  choosePicture(): Promise<void> {
    return this.readPicture(() => this.host.call('videos/choosePicture', {}));
  }

  givePicture(images: Promise<ProvidedImages>): Promise<void> {
    return this.readPicture(async () => this.host.call('videos/givePicture', await images));
  }

  private async readPicture(read: () => Promise<{ readonly picture?: VideoImage }>): Promise<void> {
    if (this.isReadingPicture.peek()) return;
    this.isReadingPicture.value = true;
    await this.attempt(async () => {
      const { picture } = await read();
      if (!picture) return;
      batch(() => {
        this.picture.value = picture;
        this.typed.edit({ picture: picture.ref });
      });
      this.say(picture.facts);
    });
    this.isReadingPicture.value = false;
  }

  removePicture(): void {
    this.typed.edit({ picture: '' });
  }

  async actOnJob(job: string, action: VideoJobAction): Promise<void> {
    await this.attemptOn(job, () => this.host.call('videos/actOnJob', { job, action }));
  }

  async actOnFile(job: string, index: number, action: VideoFileAction): Promise<void> {
    await this.attemptOn(job, () => this.host.call('videos/actOnFile', { job, index, action }));
  }

  async saveFrame(frame: {
    readonly job: string;
    readonly index: number;
    readonly seconds: number;
    readonly png: string;
  }) {
    await this.attemptOn(frame.job, async () => this.finish((await this.host.call('videos/saveFrame', frame)).message));
  }

  /** Puts a frame of a video into the form as the first frame of the next one. */
  async useFirstFrame(png: string): Promise<void> {
    await this.givePicture(Promise.resolve({ uris: [], pictures: [{ name: 'frame.png', base64: png }] }));
    if (this.error.peek() !== undefined) return;
    this.finish(l10n.t('Set as the first frame of the next video.'));
    document.querySelector('.video-picture')?.scrollIntoView({ block: 'nearest' });
  }

  useSeed(seed: string): void {
    this.typed.edit({ seed });
    this.finish(l10n.t('Seed copied to the form.'));
  }

  /** Runs an action of a notice or error. */
  act(action: string): void {
    const model = modelOfStep(action);
    if (action === 'retry' && this.retry()) return;
    if (action === 'chooseModel') this.focusRequests.value++;
    else if (model !== undefined) this.typed.edit({ model });
    else void this.ask('videos/act', { action });
  }

  /** Does work on a job. Its error is shown with the job. */
  private async attemptOn(job: string, work: () => Promise<unknown>): Promise<void> {
    await this.attempt(work, () => this.attemptOn(job, work));
    this.errorJob.value = this.error.peek() && job;
  }

  override fail(error: unknown): void {
    this.errorJob.value = undefined;
    super.fail(error);
  }

  private save(): void {
    const formId = this.page.peek()?.formId;
    if (formId === undefined) return;
    const { typed, open, loops, rate } = this;
    this.host.save({
      formId,
      form: typed.form.peek(),
      open: open.peek(),
      loops: loops.peek(),
      rate: rate.peek(),
    });
  }
}
