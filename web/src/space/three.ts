// What of three.js is used, built into a file of its own: a change of the pages does not rewrite it.
export {
  Box3, BoxGeometry, BufferGeometry, CanvasTexture, CapsuleGeometry, CircleGeometry, Color, ConeGeometry,
  CylinderGeometry, DirectionalLight, Group, HemisphereLight, IcosahedronGeometry, LatheGeometry, Line,
  LineBasicMaterial, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, PerspectiveCamera, PlaneGeometry,
  Raycaster, RingGeometry, Scene as Stage, SphereGeometry, Spherical, Sprite, SpriteMaterial, SRGBColorSpace,
  TorusGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
