import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FailedRow } from '../../components/failedRow';
import { fill } from '../../components/fill';
import { JobCard } from './jobCard';
import type { Videos } from './videosContext';

const atFirst = 30;

/** All video jobs of this machine, newest first. */
export function JobList({ videos }: { readonly videos: Videos }) {
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
        <FailedRow
          class="video-jobs-failed"
          count={page.failed}
          strings={strings}
          onAct={(action) => void session.actOnFailed(action)}
        />
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
