import type { VideoJob } from '../../../src/protocol/videos';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { Elapsed } from './elapsed';
import { JobDetails } from './jobDetails';
import { Thumbnail } from './thumbnail';
import type { Videos } from './videosContext';

interface JobProps {
  readonly job: VideoJob;
  readonly videos: Videos;
}

/** A video job: a summary, and all details once it is opened. */
export function JobCard({ job, videos }: JobProps) {
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
