// How questions come to the server and answers back: the answer, or {error: "one line"}. In a file of `zermelo page` offline.js stands here.

export async function ask(path, body) {
  const keepalive = path.endsWith("/cancel"); // is sent although the page is being closed
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive };
  let response;
  try {
    response = await fetch(path, body === undefined ? undefined : sent);
  } catch {
    return { error: "The server does not answer: is `zermelo serve` still running?" };
  }
  const data = await response.json().catch(() => null);
  if (data?.error && response.status === 404 && path.startsWith("/api/solutions/")) return { ...data, gone: true }; // the server has it no longer
  return data && (response.ok || data.error) ? data : { error: `The server answered with status ${response.status}.` };
}
