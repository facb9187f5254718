import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { VideoFile, VideoFileAction, VideoJob } from '../../../src/protocol/videos';
import { Note } from '../../components/note';
import { titled } from '../../../src/protocol/sentences';
import { IconButton, MoreButton } from '../../components/iconButton';
import { type OpenMenu, createMenus } from '../../components/menu';
import { Icon } from '../../components/icon';
import { pageNumber } from '../../components/pageLanguage';
import { pngOf } from '../../components/videoFrame';
import { NoteList } from './notes';
import type { VideosSession } from './session';

interface JobProps {
  readonly job: VideoJob;
  readonly session: VideosSession;
}

export function JobDetails({ job, session }: JobProps) {
  const error = session.error.value;
  return (
    <div class="video-details" id={`details-${job.id}`}>
      {error && session.errorJob.value === job.id && (
        <NoteList notices={[{ ...error, tone: 'error' }]} onAct={(action) => session.act(action)} />
      )}
      {job.error && <NoteList notices={[job.error]} onAct={(action) => session.act(action)} />}
      {job.files.map((file) => (
        <File key={file.index} file={file} job={job} session={session} />
      ))}
      <JobActions job={job} session={session} />
      <Facts job={job} />
    </div>
  );
}

function File({ file, job, session }: JobProps & { readonly file: VideoFile }) {
  if (file.uri === undefined) {
    return (
      <Note
        tone="warning"
        title={l10n.t('The file is missing')}
        detail={titled(file.name, l10n.t("If you regenerate the video, you're charged again."))}
        actions={[]}
        onAct={() => undefined}
      />
    );
  }
  const act = (action: Parameters<typeof session.actOnFile>[2]) => void session.actOnFile(job.id, file.index, action);
  return (
    <div class="video-file">
      <Player
        key={file.uri}
        uri={file.uri}
        file={file}
        job={job}
        session={session}
        onOpenOutside={() => act('openOutside')}
      />
      <FileActions regenerate={job.regenerate} onAct={act} />
    </div>
  );
}

function JobActions({ job, session }: JobProps) {
  return (
    <div class="video-actions" role="group" aria-label={l10n.t('Actions')}>
      {job.actions.map(({ id, label, hint }) => (
        <button type="button" class="link" key={id} title={hint} onClick={() => void session.actOnJob(job.id, id)}>
          {label}
        </button>
      ))}
      {job.seed !== undefined && (
        <button type="button" class="link" onClick={() => session.useSeed(job.seed ?? '')}>
          {l10n.t('Use Seed {0}', job.seed)}
        </button>
      )}
    </div>
  );
}

function Facts({ job }: { readonly job: VideoJob }) {
  return (
    <div class="video-facts">
      {job.pictureUri && <img class="video-picture-image" src={job.pictureUri} alt={l10n.t('First frame')} />}
      <dl>
        {job.negativePrompt && <Fact name={l10n.t('Negative prompt')} value={job.negativePrompt} />}
        {job.facts.map((fact) => (
          <Fact key={fact.name} {...fact} />
        ))}
      </dl>
    </div>
  );
}

function Fact({ name, value, hint }: VideoJob['facts'][number]) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto" title={hint}>
        {value}
      </dd>
    </div>
  );
}

const inSight = ['insert', 'saveAs', 'regenerate', 'vary'] as const;
const inMenu = ['openOutside', 'reveal', 'copyPath', 'showRecipe', 'remove'] as const;

interface FileActionsProps {
  readonly regenerate: string | undefined;
  readonly onAct: (action: VideoFileAction) => void;
}

/** The actions on a saved video: the most common ones as links, the rest in a menu. */
function FileActions({ regenerate, onAct }: FileActionsProps) {
  const menus = useRef<OpenMenu>(undefined);
  const hints: Readonly<Record<string, string>> = {
    regenerate: l10n.t("Submits the same request again. You're charged again."),
    vary: l10n.t('Copies the request, except the seed, to the form.'),
  };
  const openMenu = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    menus.current(
      button,
      inMenu.map((action) => ({ label: fileActionLabel(action), run: () => onAct(action) })),
    );
  };
  return (
    <div class="video-actions" role="group" aria-label={l10n.t('Actions')}>
      {inSight.map((action) => (
        <button type="button" class="link" key={action} title={hints[action]} onClick={() => onAct(action)}>
          {action === 'regenerate' ? (regenerate ?? fileActionLabel(action)) : fileActionLabel(action)}
        </button>
      ))}
      <MoreButton onOpen={openMenu} />
    </div>
  );
}

function fileActionLabel(action: VideoFileAction): string {
  switch (action) {
    case 'insert':
      return l10n.t('Insert at Cursor');
    case 'saveAs':
      return l10n.t('Save As…');
    case 'regenerate':
      return l10n.t('Regenerate');
    case 'vary':
      return l10n.t('Edit and Generate…');
    case 'openOutside':
      return l10n.t('Open Externally');
    case 'reveal':
      return l10n.t('Open Containing Folder');
    case 'copyPath':
      return l10n.t('Copy Path');
    case 'showRecipe':
      return l10n.t('Show Details');
    case 'remove':
      return l10n.t('Delete…');
  }
}

interface PlayerProps {
  readonly uri: string;
  readonly file: VideoFile;
  readonly job: VideoJob;
  readonly session: VideosSession;
}

/** Plays a saved video. If the editor cannot, says so and offers another program. */
function Player(props: PlayerProps & { readonly onOpenOutside: () => void }) {
  const cannot = useSignal(false);
  const { file, onOpenOutside } = props;
  if (!cannot.value) return <Playing {...props} onCannot={() => (cannot.value = true)} />;
  return (
    <Note
      tone="warning"
      title={l10n.t("VS Code can't play this video")}
      detail={titled(file.name, l10n.t('Open the file in another program.'))}
      actions={[{ id: 'openOutside', label: l10n.t('Open Externally') }]}
      onAct={onOpenOutside}
    />
  );
}

function Playing({ uri, file, job, session, onCannot }: PlayerProps & { readonly onCannot: () => void }) {
  const { element, place, pixels, begin, look } = usePlayback(session, onCannot);
  return (
    <figure class="player">
      <video
        ref={element}
        class="player-video"
        src={uri}
        aria-label={l10n.t('Video: {0}', job.prompt)}
        controls
        playsInline
        preload="metadata"
        // Without it, frames could not be read.
        crossOrigin="anonymous"
        loop={session.loops.value}
        onLoadedMetadata={begin}
        onTimeUpdate={look}
        onSeeked={look}
        onRateChange={({ currentTarget }) => session.setPlaying({ rate: currentTarget.playbackRate })}
        onError={onCannot}
      />
      <PlayerBar
        session={session}
        place={place.value}
        video={() => element.current}
        onFrame={(seconds, png) => void session.saveFrame({ job: job.id, index: file.index, seconds, png })}
        onFirstFrame={(_seconds, png) => void session.useFirstFrame(png)}
      />
      <figcaption class="player-facts videos-muted">
        {(pixels.value ? [l10n.t('{0} × {1}', ...pixels.value), ...file.facts, file.name] : [file.name]).map((fact) => (
          <span key={fact} title={fact}>
            {fact}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface VideoEvent {
  readonly currentTarget: HTMLVideoElement;
}

/** State of a video's playback as its element reports it; applies the chosen playback rate. */
function usePlayback({ rate }: VideosSession, onCannot: () => void) {
  const element = useRef<HTMLVideoElement>(null);
  /** In seconds. */
  const place = useSignal({ at: 0, of: 0 });
  const pixels = useSignal<readonly [width: string, height: string] | undefined>(undefined);
  const chosen = rate.value;
  useEffect(() => {
    if (element.current) element.current.playbackRate = chosen;
  }, [chosen]);
  const look = ({ currentTarget: { currentTime, duration } }: VideoEvent) => {
    place.value = { at: currentTime, of: Number.isFinite(duration) ? duration : 0 };
  };
  const begin = (event: VideoEvent) => {
    const video = event.currentTarget;
    video.playbackRate = rate.peek();
    look(event);
    // Without the video's codec, some players play only the sound.
    if (video.videoWidth === 0) onCannot();
    else pixels.value = [String(video.videoWidth), String(video.videoHeight)];
  };
  return { element, place, pixels, begin, look };
}

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

interface PlayerBarProps {
  readonly session: VideosSession;
  /** In seconds. */
  readonly place: { readonly at: number; readonly of: number };
  readonly video: () => HTMLVideoElement | null;
  /** Saves the frame at a position; `png` is Base64. */
  readonly onFrame: (seconds: number, png: string) => void;
  /** Begins the next video with the frame. */
  readonly onFirstFrame: (seconds: number, png: string) => void;
}

const hundredths = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const inSeconds = { ...hundredths, style: 'unit', unit: 'second', unitDisplay: 'short' } as const;

/** Controls the browser's player lacks: stepping by frame, speed, loop, and saving a frame as an image. */
function PlayerBar({ session, place, video, onFrame, onFirstFrame }: PlayerBarProps) {
  const isUnreadable = useSignal(false);
  const take = (use: (seconds: number, png: string) => void) => {
    const element = video();
    element?.pause();
    const png = element ? pngOf(element) : undefined;
    isUnreadable.value = png === undefined;
    if (element && png !== undefined) use(element.currentTime, png);
  };
  return (
    <div class="player-bar">
      <IconButton icon="chevron-left" label={l10n.t('Previous Frame')} onClick={() => stepFrame(video(), -1)} />
      <IconButton icon="chevron-right" label={l10n.t('Next Frame')} onClick={() => stepFrame(video(), 1)} />
      <span class="player-place">
        {l10n.t('{0} of {1}', pageNumber(place.at, hundredths), pageNumber(place.of, inSeconds))}
      </span>
      <label class="player-rate">
        <span class="player-rate-name">{l10n.t('Speed')}</span>
        <select
          value={String(session.rate.value)}
          onChange={({ currentTarget }) => session.setPlaying({ rate: Number(currentTarget.value) })}
        >
          {[...new Set([...rates, session.rate.value])]
            .toSorted((a, b) => a - b)
            .map((rate) => (
              <option key={rate} value={String(rate)} selected={rate === session.rate.value}>
                {rate}×
              </option>
            ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={session.loops.value}
          onChange={({ currentTarget }) => session.setPlaying({ loops: currentTarget.checked })}
        />
        {l10n.t('Loop')}
      </label>
      <span class="player-frame">
        <button type="button" class="link" onClick={() => take(onFirstFrame)}>
          <Icon name="device-camera-video" />
          {l10n.t('Use as First Frame')}
        </button>
        <button type="button" class="link" onClick={() => take(onFrame)}>
          <Icon name="device-camera" />
          {l10n.t('Save Frame as Image')}
        </button>
      </span>
      {isUnreadable.value && (
        <span class="parameter-note" role="status">
          {l10n.t("Couldn't read this frame.")}
        </span>
      )}
    </div>
  );
}

/** In seconds. Such videos have 16 to 30 frames per second. */
const frameSeconds = 1 / 24;

/** Shows the next or the previous frame. */
function stepFrame(video: HTMLVideoElement | null, step: 1 | -1): void {
  if (!video) return;
  video.pause();
  video.currentTime = Math.min(video.duration || 0, Math.max(0, video.currentTime + step * frameSeconds));
}
