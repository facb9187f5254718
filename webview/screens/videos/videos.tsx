import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
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
import { useEffect, useRef } from 'preact/hooks';
import { carriesFiles } from '../../components/droppedAddresses';
import { DropTarget } from '../../components/dropTarget';
import { readImages } from './readImages';
import { useSignal } from '@preact/signals';
import { FailedRow } from '../../components/failedRow';
import { Icon } from '../../components/icon';
import { JobDetails } from './jobDetails';
import { clockText } from './form';

export function mountVideos(root: HTMLElement, host: Host<VideosScreen>): void {
  const page = document.createElement('main');
  page.className = 'videos';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new VideosSession(host, (text) => announcer.say(text));
  render(<VideosView session={session} />, page);
  host.on('videos/changed', (changed) => session.show(changed));
  void session.start();
}

/** The form, with the jobs below it or, if the page is wide enough, next to it. */
function VideosView({ session }: { readonly session: VideosSession }) {
  return (
    <>
      <h1 class="videos-title">{l10n.t('Videos')}</h1>
      <div class="videos-parts">
        <section class="videos-new" aria-label={l10n.t('New video')}>
          <VideoFields session={session} />
          <Notes session={session} />
        </section>
        <JobList session={session} />
      </div>
      <ImageDrop session={session} />
    </>
  );
}

/** Accepts an image that is dropped anywhere on the page, or pasted. */
function ImageDrop({ session }: { readonly session: VideosSession }) {
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
      text={l10n.t('Drop to use as the first frame')}
      onDrop={(data) => void session.givePicture(readImages(data))}
    />
  );
}

const atFirst = 30;

/** All video jobs of this machine, newest first. */
function JobList({ session }: { readonly session: VideosSession }) {
  const most = useSignal(atFirst);
  const page = session.page.value;
  const jobs = page?.jobs ?? [];
  const jobToShow = page?.jobToShow;
  useEffect(() => {
    const at = jobs.findIndex(({ id }) => id === jobToShow?.job);
    if (at >= most.peek()) most.value = at + 1;
    if (at >= 0)
      requestAnimationFrame(() =>
        document.getElementById(`job-${jobToShow?.job}`)?.scrollIntoView({ block: 'nearest' }),
      );
  }, [jobToShow?.times]);
  const rest = jobs.length - most.value;
  return (
    <section class="video-jobs" aria-label={l10n.t('Videos')} aria-busy={page === undefined}>
      {page && jobs.length === 0 && (
        <div class="video-jobs-empty">
          <h2>{l10n.t('No videos yet')}</h2>
          <p class="videos-muted">{l10n.t('Videos take a few minutes and are saved even if you close the window.')}</p>
        </div>
      )}
      {page?.failed !== undefined && (
        <FailedRow
          class="video-jobs-failed"
          count={page.failed}
          canRetry={!page.isNotOffered}
          retryLabel={page.retryFailed}
          onAct={(action) => void session.ask('videos/failed', { action })}
        />
      )}
      {jobs.length > 0 && (
        <ul class="video-job-list">
          {jobs.slice(0, most.value).map((job) => (
            <JobCard key={job.id} job={job} session={session} />
          ))}
        </ul>
      )}
      {rest > 0 && (
        <button type="button" class="link video-jobs-more" onClick={() => (most.value += atFirst)}>
          {l10n.t('Show {0} More', pageNumber(Math.min(rest, atFirst)))}
        </button>
      )}
    </section>
  );
}

interface JobProps {
  readonly job: VideoJob;
  readonly session: VideosSession;
}

/** A video job: a summary, and all details once it is opened. */
function JobCard({ job, session }: JobProps) {
  const isOpen = session.open.value === job.id;
  return (
    <li class="video-job" id={`job-${job.id}`} data-dot={job.dot} data-open={isOpen}>
      <div class="video-job-head">
        <h2 class="video-job-title">
          <button
            type="button"
            class="video-job-button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `details-${job.id}` : undefined}
            onClick={() => session.toggle(job.id)}
          >
            <State job={job} session={session} />
            <span class="video-job-prompt few-lines" dir="auto">
              {job.prompt}
            </span>
            <Line job={job} />
          </button>
        </h2>
        {!isOpen && <Thumbnail uri={job.files.find(({ uri }) => uri !== undefined)?.uri} />}
        <span class="video-job-chevron">
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </span>
      </div>
      {isOpen && <JobDetails job={job} session={session} />}
    </li>
  );
}

function State({ job, session }: JobProps) {
  return (
    <span class="video-job-state">
      <span class="video-job-word">
        <span class={`video-dot video-dot-${job.dot}`} aria-hidden="true" />
        {job.state}
      </span>
      {job.stateDetail && <span class="videos-muted">{job.stateDetail}</span>}
      {job.elapsedMs !== undefined && <Elapsed ms={job.elapsedMs} session={session} />}
      {job.took && <span class="videos-muted">{job.took}</span>}
      <time class="videos-muted video-job-when" title={job.at}>
        {job.when}
      </time>
    </span>
  );
}

function Line({ job }: { readonly job: VideoJob }) {
  const seed = job.seed === undefined ? [] : [`${l10n.t('Seed')} ${job.seed}`];
  const profile = job.profile === undefined ? [] : [l10n.t('Account {0}', job.profile)];
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
function Elapsed({ ms, session }: { readonly ms: number; readonly session: VideosSession }) {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const text = clockText(ms + Math.max(0, now.value - session.reportedAt.value));
  return (
    <span class="video-elapsed" role="timer" aria-label={l10n.t('In progress for {0}', text)}>
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
