// Questions to the server. A question that can't be answered throws an error with one line, which is shown as it is.

import { ask } from "./ask.js";

export class Failure extends Error {
  constructor(text, faults = []) {
    super(text);
    this.faults = faults;
  }
}

async function answered(path, body) {
  const data = await ask(path, body);
  if (data.gone) document.dispatchEvent(new Event("gone")); // of a solution that the server has no longer
  if (data.error) throw new Failure(data.error);
  return data;
}

export const get = (path) => answered(path);

export const post = (path, body = {}) => answered(path, body);

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export const isOver = (progress) => ["done", "failed", "cancelled"].includes(progress.status);

// Follows a job to its end. `tell` is called with its progress; `isWanted` ends the following when the page has moved on.
export async function follow(first, again, tell, isWanted = () => true) {
  let found = first;
  let pause = 120;
  while (!isOver(found.progress)) {
    tell(found.progress);
    await wait(pause);
    pause = Math.min(pause * 1.3, 700);
    if (!isWanted()) return null;
    found = await again(found);
  }
  tell(found.progress);
  if (found.progress.status === "failed") throw new Failure(found.progress.error, found.progress.faults);
  if (found.progress.status === "cancelled") throw new Failure("Cancelled.");
  return found;
}

export const cancel = (job) => post(`/api/jobs/${job}/cancel`).catch(() => {});

const running = new Set(); // jobs of views, of this page alone: nobody waits for them once it is closed
addEventListener("pagehide", () => running.forEach(cancel));

// The result of a view of a solution: map, distribution, table, figure, states.
// One that is not wanted any more is cancelled, so that the next one need not wait for it.
export async function view(solution, name, asked, tell, isWanted) {
  const first = await post(`/api/solutions/${solution}/${name}`, asked), { job } = first.progress;
  running.add(job);
  try {
    const last = await follow(first, () => get(`/api/jobs/${job}`), tell, isWanted);
    if (!last) cancel(job);
    return last && last.result;
  } finally {
    running.delete(job);
  }
}
