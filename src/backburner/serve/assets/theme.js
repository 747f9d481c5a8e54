{let t=(()=>{try{return localStorage.getItem("backburner-theme")}catch{return null}})();(t==="dark"||t==="light")&&(document.documentElement.dataset.theme=t)}
