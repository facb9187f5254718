import './videos.css';
import './videoForm.css';
import './videoJobs.css';
import './player.css';
import { render } from 'preact';
import type { VideosScreen, VideoJob } from '../../../src/protocol/videos';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import { VideosSession } from './session';
import { Notes } from './notes';
import { VideoFields } from './videoForm';
import type { Videos } from './videosContext';
import { useEffect, useRef } from 'preact/hooks';
import { carriesFiles } from '../../components/droppedAddresses';
import { DropTarget } from '../../components/dropTarget';
import { readImages } from './readImages';
import { useSignal } from '@preact/signals';
import { FailedRow } from '../../components/failedRow';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { JobDetails } from './jobDetails';
import { clockText } from './form';

export function mountVideos(root: HTMLElement, host: Host<VideosScreen>): void {
  const page = document.createElement('main');
  page.className = 'videos';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new VideosSession(host, (text) => announcer.say(text));
  render(<VideosView videos={{ session, strings: host.strings }} />, page);
  host.on('videos/changed', (changed) => session.show(changed));
  void session.start();
}

/** The form, with the jobs below it or, if the page is wide enough, beside it. */
function VideosView({ videos }: { readonly videos: Videos }) {
  return (
    <>
      <h1 class="videos-title">{videos.strings.title}</h1>
      <div class="videos-parts">
        <section class="videos-new" aria-label={videos.strings.form}>
          <VideoFields videos={videos} />
          <Notes videos={videos} />
        </section>
        <JobList videos={videos} />
      </div>
      <ImageDrop videos={videos} />
    </>
  );
}

/** Accepts an image that is dropped anywhere on the page, or pasted. */
function ImageDrop({ videos: { session, strings } }: { readonly videos: Videos }) {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const data = event.clipboardData;
      // If the data includes text, e.g. of a table, the user wanted to paste that into a text field.
      if (!data || !carriesFiles(data) || data.types.includes('text/plain')) return;
      event.preventDefault();
      void session.givePicture(readImages(data));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [session]);
  return (
    <DropTarget
      icon="device-camera-video"
      text={strings.dropHere}
      onDrop={(data) => void session.givePicture(readImages(data))}
    />
  );
}

const atFirst = 30;

/** All video jobs of this machine, newest first. */
function JobList({ videos }: { readonly videos: Videos }) {
  const { session, strings } = videos;
  const most = useSignal(atFirst);
  const page = session.page.value;
  const jobs = page?.jobs ?? [];
  const wanted = page?.wanted;
  useEffect(() => {
    const at = jobs.findIndex(({ id }) => id === wanted?.job);
    if (at >= most.peek()) most.value = at + 1;
    if (at >= 0)
      requestAnimationFrame(() => document.getElementById(`job-${wanted?.job}`)?.scrollIntoView({ block: 'nearest' }));
  }, [wanted?.times]);
  const rest = jobs.length - most.value;
  return (
    <section class="video-jobs" aria-label={strings.jobs} aria-busy={page === undefined}>
      {page && jobs.length === 0 && (
        <div class="video-jobs-empty">
          <h2>{strings.noJobs}</h2>
          <p class="videos-muted">{strings.noJobsDetail}</p>
        </div>
      )}
      {page?.failed !== undefined && (
        <FailedRow class="video-jobs-failed" count={page.failed} onAct={(action) => void session.actOnFailed(action)} />
      )}
      {jobs.length > 0 && (
        <ul class="video-job-list">
          {jobs.slice(0, most.value).map((job) => (
            <JobCard key={job.id} job={job} videos={videos} />
          ))}
        </ul>
      )}
      {rest > 0 && (
        <button type="button" class="link video-jobs-more" onClick={() => (most.value += atFirst)}>
          {fill(strings.moreJobs, Math.min(rest, atFirst))}
        </button>
      )}
    </section>
  );
}

interface JobProps {
  readonly job: VideoJob;
  readonly videos: Videos;
}

/** A video job: a summary, and all details once it is opened. */
function JobCard({ job, videos }: JobProps) {
  const isOpen = videos.session.open.value === job.id;
  return (
    <li class="video-job" id={`job-${job.id}`} data-dot={job.dot} data-open={isOpen}>
      <div class="video-job-head">
        <h2 class="video-job-title">
          <button
            type="button"
            class="video-job-button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `details-${job.id}` : undefined}
            onClick={() => videos.session.toggle(job.id)}
          >
            <State job={job} videos={videos} />
            <span class="video-job-prompt few-lines" dir="auto">
              {job.prompt}
            </span>
            <Line job={job} videos={videos} />
          </button>
        </h2>
        {!isOpen && <Thumbnail uri={job.files.find(({ uri }) => uri !== undefined)?.uri} />}
        <span class="video-job-chevron">
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </span>
      </div>
      {isOpen && <JobDetails job={job} videos={videos} />}
    </li>
  );
}

function State({ job, videos }: JobProps) {
  return (
    <span class="video-job-state">
      <span class="video-job-word">
        <span class={`video-dot video-dot-${job.dot}`} aria-hidden="true" />
        {job.state}
      </span>
      {job.stateDetail && <span class="videos-muted">{job.stateDetail}</span>}
      {job.elapsedMs !== undefined && <Elapsed ms={job.elapsedMs} videos={videos} />}
      {job.took && <span class="videos-muted">{job.took}</span>}
      <time class="videos-muted video-job-when" title={job.at}>
        {job.when}
      </time>
    </span>
  );
}

function Line({ job, videos: { strings } }: JobProps) {
  const seed = job.seed === undefined ? [] : [`${strings.seed} ${job.seed}`];
  const profile = job.profile === undefined ? [] : [fill(strings.ofProfile, job.profile)];
  return (
    <span class="video-job-line videos-muted">
      {[job.model, job.size, ...seed, ...profile].map((text) => (
        <span key={text} title={text}>
          {text}
        </span>
      ))}
    </span>
  );
}

/** The elapsed time of a job, counted from the host's value with the page's own clock, which may differ from the host's. */
function Elapsed({ ms, videos: { session, strings } }: { readonly ms: number; readonly videos: Videos }) {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const text = clockText(ms + Math.max(0, now.value - session.toldAt.value));
  return (
    <span class="video-elapsed" role="timer" aria-label={fill(strings.elapsed, text)}>
      {text}
    </span>
  );
}

/** The first frame of a video, loaded once it scrolls into view. */
function Thumbnail({ uri }: { readonly uri: string | undefined }) {
  const room = useRef<HTMLSpanElement>(null);
  const isSeen = useSignal(false);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      isSeen.value = true;
      watcher.disconnect();
    });
    if (room.current) watcher.observe(room.current);
    return () => watcher.disconnect();
  }, []);
  if (uri === undefined) return null;
  return (
    <span class="video-thumbnail" ref={room} aria-hidden="true">
      {isSeen.value && <video src={`${uri}#t=0.1`} preload="metadata" muted tabIndex={-1} />}
    </span>
  );
}
