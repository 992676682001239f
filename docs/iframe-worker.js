// Lets the site's search work when its pages are opened as files, where browsers start no worker: a hidden frame runs the
// worker's script. The theme's plugin `offline` takes this file by its name; without it, it loads such a script from a server.
class IFrameWorker extends EventTarget {
  constructor(script) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    const inside = frame.contentWindow;
    inside.postMessage = (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
    inside.importScripts = async (...names) => {
      for (const name of names) await load(name);
    };
    const load = (name) =>
      new Promise((loaded) => {
        const element = inside.document.createElement("script");
        element.src = name;
        element.onload = loaded;
        inside.document.body.append(element);
      });
    this.inside = inside;
    this.loaded = load(script);
  }

  async postMessage(data) {
    await this.loaded;
    this.inside.dispatchEvent(new MessageEvent("message", { data }));
  }
}

window.IFrameWorker = IFrameWorker;
if (location.protocol === "file:") window.Worker = IFrameWorker;
