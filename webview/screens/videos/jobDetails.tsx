import type { VideoFile, VideoJob, VideoFileAction } from '../../../src/protocol/videos';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { NoteList } from './notes';
import type { Videos } from './videosContext';
import { titled } from '../../../src/protocol/sentences';
import { useRef, useEffect } from 'preact/hooks';
import { Icon } from '../../components/icon';
import { createMenus, type OpenMenu } from '../../components/menu';
import { useSignal } from '@preact/signals';
import { PlayerBar } from './playerBar';
import type { VideosSession } from './session';

interface JobProps {
  readonly job: VideoJob;
  readonly videos: Videos;
}

export function JobDetails({ job, videos }: JobProps) {
  const { session } = videos;
  const trouble = session.trouble.value;
  return (
    <div class="video-details" id={`details-${job.id}`}>
      {trouble?.job === job.id && (
        <NoteList notices={[{ ...trouble, tone: 'error' }]} onAct={(action) => session.act(action)} />
      )}
      {job.trouble && <NoteList notices={[job.trouble]} onAct={(action) => session.act(action)} />}
      {job.files.map((file) => (
        <File key={file.index} file={file} job={job} videos={videos} />
      ))}
      <JobActions job={job} videos={videos} />
      <Facts job={job} videos={videos} />
    </div>
  );
}

function File({ file, job, videos }: JobProps & { readonly file: VideoFile }) {
  const { session, strings } = videos;
  if (file.uri === undefined) {
    return (
      <Note
        tone="warning"
        title={strings.fileGone}
        detail={titled(file.name, strings.fileGoneDetail)}
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
        videos={videos}
        onOpenOutside={() => act('openOutside')}
      />
      <FileActions videos={videos} onAct={act} />
    </div>
  );
}

function JobActions({ job, videos: { session, strings } }: JobProps) {
  return (
    <div class="video-actions" role="group" aria-label={strings.actions}>
      {job.actions.map(({ id, label, hint }) => (
        <button type="button" class="link" key={id} title={hint} onClick={() => void session.actOnJob(job.id, id)}>
          {label}
        </button>
      ))}
      {job.seed !== undefined && (
        <button type="button" class="link" onClick={() => session.useSeed(job.seed ?? '')}>
          {fill(strings.useSeed, job.seed)}
        </button>
      )}
    </div>
  );
}

function Facts({ job, videos: { strings } }: JobProps) {
  return (
    <div class="video-facts">
      {job.pictureUri && <img class="video-picture-image" src={job.pictureUri} alt={strings.fromPicture} />}
      <dl>
        {job.negativePrompt && <Fact name={strings.without} value={job.negativePrompt} />}
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
  readonly videos: Videos;
  readonly onAct: (action: VideoFileAction) => void;
}

/** The actions on a saved video: the most common ones as links, the rest in a menu. */
function FileActions({ videos: { strings }, onAct }: FileActionsProps) {
  const menus = useRef<OpenMenu>(undefined);
  const hints: Readonly<Record<string, string>> = { regenerate: strings.regenerateHint, vary: strings.varyHint };
  const openMenu = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    menus.current(
      button,
      inMenu.map((action) => ({ label: strings[action], run: () => onAct(action) })),
    );
  };
  return (
    <div class="video-actions" role="group" aria-label={strings.actions}>
      {inSight.map((action) => (
        <button type="button" class="link" key={action} title={hints[action]} onClick={() => onAct(action)}>
          {strings[action]}
        </button>
      ))}
      <button
        type="button"
        class="icon-button"
        title={strings.more}
        aria-label={strings.more}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ currentTarget }) => openMenu(currentTarget)}
      >
        <Icon name="ellipsis" />
      </button>
    </div>
  );
}

interface PlayerProps {
  readonly uri: string;
  readonly file: VideoFile;
  readonly job: VideoJob;
  readonly videos: Videos;
}

/** Plays a saved video. If the editor cannot, says so and offers another program. */
function Player(props: PlayerProps & { readonly onOpenOutside: () => void }) {
  const cannot = useSignal(false);
  const { file, videos, onOpenOutside } = props;
  const { strings } = videos;
  if (!cannot.value) return <Playing {...props} onCannot={() => (cannot.value = true)} />;
  return (
    <Note
      tone="warning"
      title={strings.cannotPlay}
      detail={titled(file.name, strings.cannotPlayDetail)}
      actions={[{ id: 'openOutside', label: strings.openOutside }]}
      onAct={onOpenOutside}
    />
  );
}

function Playing({ uri, file, job, videos, onCannot }: PlayerProps & { readonly onCannot: () => void }) {
  const { session, strings } = videos;
  const { element, place, pixels, begin, look } = usePlayback(session, onCannot);
  return (
    <figure class="player">
      <video
        ref={element}
        class="player-video"
        src={uri}
        aria-label={fill(strings.player, job.prompt)}
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
        videos={videos}
        place={place.value}
        video={() => element.current}
        onFrame={(seconds, png) => void session.saveFrame({ job: job.id, index: file.index, seconds, png })}
      />
      <figcaption class="player-facts videos-muted">
        {(pixels.value ? [fill(strings.pixels, ...pixels.value), ...file.facts, file.name] : [file.name]).map(
          (fact) => (
            <span key={fact} title={fact}>
              {fact}
            </span>
          ),
        )}
      </figcaption>
    </figure>
  );
}

interface VideoEvent {
  readonly currentTarget: HTMLVideoElement;
}

/** State of a video's playback as its element reports it; applies the chosen playback rate. */
function usePlayback({ rate }: Pick<VideosSession, 'rate'>, onCannot: () => void) {
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
