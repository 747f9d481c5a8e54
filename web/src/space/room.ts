// What everything is drawn with: the lights, the table on which the kitchen stands, and a room around it in a
// headset.
import {
  CircleGeometry, Color, DirectionalLight, Group, HemisphereLight, Mesh, MeshBasicMaterial, PerspectiveCamera,
  Stage, Vector3, WebGLRenderer,
} from "./three.js";

const LIGHT = { sky: "#dfe7ee", ground: "#c9d3dc" };
const DARK = { sky: "#20262d", ground: "#2b333c" };
const MOST_PIXELS = 2;

export class Room {
  readonly stage = new Stage();
  readonly table = new Group();
  height = 1;
  /** A headset moves the camera it is given and gives it another lens; so it has one of its own. */
  private readonly eyes = new PerspectiveCamera(60, 1, 0.05, 100);
  private readonly ground: Mesh<CircleGeometry, MeshBasicMaterial>;

  private constructor(readonly renderer: WebGLRenderer) {
    renderer.xr.enabled = true;
    const sun = new DirectionalLight(0xffffff, 1.4);
    sun.position.set(2, 6, 4);
    this.ground = new Mesh(new CircleGeometry(8, 48).rotateX(-Math.PI / 2), new MeshBasicMaterial());
    this.ground.visible = false;
    this.stage.add(new HemisphereLight(0xffffff, 0xb9b2a6, 1.9), sun, this.table, this.ground);
  }

  /** `null` where the browser does not draw in three dimensions. */
  static open(canvas: HTMLCanvasElement): Room | null {
    try {
      const gl = canvas.getContext("webgl2", { alpha: true, antialias: true, xrCompatible: true });
      if (!gl) return null;
      return new Room(new WebGLRenderer({ canvas, context: gl, alpha: true, antialias: true }));
    } catch {
      return null;
    }
  }

  resize(width: number, height: number): void {
    this.height = Math.max(1, height);
    if (this.renderer.xr.isPresenting) return; // the headset has a size of its own
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXELS));
    this.renderer.setSize(width, height, false);
  }

  /** A sky and a ground to stand on, in place of the page behind the picture. */
  furnish(whole: boolean): void {
    const chosen = document.documentElement.dataset.theme;
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const colours = dark ? DARK : LIGHT;
    this.stage.background = whole ? new Color(colours.sky) : null;
    this.ground.material.color.set(colours.ground);
    this.ground.visible = whole;
  }

  /** Where the eyes are, in a headset. */
  head(): Vector3 {
    return new Vector3().setFromMatrixPosition(this.renderer.xr.getCamera().matrixWorld);
  }

  render(camera: PerspectiveCamera): void {
    this.renderer.render(this.stage, this.renderer.xr.isPresenting ? this.eyes : camera);
  }

  dispose(): void {
    this.ground.geometry.dispose();
    this.ground.material.dispose();
    this.renderer.dispose();
  }
}
